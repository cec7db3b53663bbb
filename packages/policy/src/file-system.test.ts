import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluateCommand } from "./evaluate.ts";
import { realPath } from "./file-system.ts";
import { defaultPolicy } from "./policy.ts";

describe("a real file system", () => {
  let base: string;

  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "turnwire-policy-")));
    await mkdir(join(base, "app", "src"), { recursive: true });
    await mkdir(join(base, "elsewhere"));
    await writeFile(join(base, "app", "src", "a.ts"), "");
    await symlink(join(base, "elsewhere"), join(base, "app", "out"));
    await symlink(join(base, "nothing"), join(base, "app", "dangling"));
    await symlink("loop", join(base, "app", "loop"));
  });

  afterEach(() => rm(base, { recursive: true, force: true }));

  test("gives the real path of what exists, none of what does not, and throws in doubt", () => {
    expect(realPath(join(base, "app", "out"))).toBe(join(base, "elsewhere"));
    expect(realPath(join(base, "app", "none", "x"))).toBeUndefined();
    expect(realPath(join(base, "app", "src", "a.ts", "x"))).toBeUndefined();
    expect(() => realPath(join(base, "app", "loop"))).toThrow("ELOOP");
    expect(() => realPath(join(base, "app", "dangling"))).toThrow("ENOENT");
  });

  test("keeps writes inside the root whatever links there are", () => {
    const root = join(base, "app");
    const facts = { cwd: root, roots: [root], home: "/home/me", realPath };
    const ask = (command: string) =>
      evaluateCommand(command, { policy: defaultPolicy(), mode: "implementation", facts }).verdict;
    expect(ask("echo x > src/new/b.ts")).toBe("allow");
    expect(ask("echo x > out/b.ts")).not.toBe("allow");
    expect(ask("echo x > src/../out/b.ts")).not.toBe("allow");
    expect(ask("echo x > out/../b.ts")).not.toBe("allow");
    expect(ask("cd out && touch b.ts")).not.toBe("allow");
    expect(ask("echo x > dangling")).toBe("deny");
    expect(ask("echo x > loop/b.ts")).toBe("deny");
  });
});
