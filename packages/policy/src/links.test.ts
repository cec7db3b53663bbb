import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluateCommand } from "./evaluate.ts";
import { entries, realPath } from "./file-system.ts";
import type { Containment } from "./judge.ts";
import { defaultPolicy } from "./policy.ts";

const policy = defaultPolicy();
let base = "";
let app = "";

/** A project with links that lead out of it, names with blanks, secrets, and a directory that poses as a repository. */
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "turnwire-links-"));
  app = join(base, "app");
  const outside = join(base, "outside");
  for (const place of [
    "src",
    "plain",
    "odd/x ",
    "env",
    "sub/.git",
    "target/src",
    "evil/wt",
    "evil/gd",
  ]) {
    await mkdir(join(app, place), { recursive: true });
  }
  await mkdir(outside);
  await writeFile(join(outside, "secret.txt"), "canary\n");
  await symlink(join(outside, "secret.txt"), join(app, "notes.md"));
  await symlink(outside, join(app, "linkdir"));
  await symlink(join(app, "src"), join(app, "inner"));
  await symlink(join(outside, "secret.txt"), join(app, "target/src/a.ts"));
  for (const name of ["a.txt", "src/a.ts", "plain/b.ts", "odd/x /y", "env/.env", "env/z.txt"]) {
    await writeFile(join(app, name), "x\n");
  }
  await promisify(execFile)("git", ["init", "-q", app]);
  await writeFile(join(app, "evil/wt/HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(app, "evil/wt/commondir"), "../gd\n");
  await writeFile(join(app, "evil/gd/config"), '[diff "x"]\n\ttextconv = touch PWNED\n');
});

afterAll(() => rm(base, { recursive: true, force: true }));

function verdictOf(command: string, mode: string, containment: Containment): string {
  const facts = { cwd: app, roots: [app], home: join(base, "home"), realPath, entries };
  return evaluateCommand(command, { policy, mode, facts, containment }).verdict;
}

describe.each<Containment>(["kernel", "none"])("with containment %s", (containment) => {
  test.each([
    "cat n*",
    "cat linkd*/secret.txt",
    "cat */secret.txt",
    "find . -type l | xargs cat",
    "cat $(ls)",
    'for f in *; do cat "$f"; done',
    "for f in $(ls odd); do cat $f; done",
    "find odd -type f | xargs head",
    "ls odd | xargs -I{} cat odd/{}",
    "find . -name .env -exec cat {} +",
    "grep -R x .",
    "grep -R x tar*",
    "find target -name '*.ts' -exec cat {} +",
    "cp -rL . copy",
    "diff -r . plain",
    "diff --from-f=notes.md a.txt",
    "git show HEAD:env/.env",
    "git -C evil/wt show",
    "cd evil/wt && git log -p",
    "git -C sub status",
    "find evil -execdir git log -p \\;",
    "env -C evil/wt git show",
  ])("a planner is asked about %s", (command) => {
    expect(verdictOf(command, "planner", containment)).not.toBe("allow");
    expect(verdictOf(command, "implementation", containment)).not.toBe("allow");
  });

  test.each([
    "cp a.txt linkd*/",
    "mv a.txt linkd*/",
    "rm l*/secret.txt",
    "rm -rf linkd*/",
    "echo x >> n*.md",
    "echo x | tee n*.md",
    "truncate -s 0 n*.md",
    "for d in l*; do touch $d/q; done",
    "find linkd*/ -name secret.txt -delete",
    "mv plain q && echo x > q/linkdir/f",
    "cp -r . q && echo x > q/linkdir/f",
    "ln -s inner q && echo x > q/f",
    "cp -r src target",
    "find target -name '*.ts' -exec truncate -s 0 {} +",
    "find target -name '*.ts' -exec touch {} +",
    "cp src/* target/src",
  ])("an implementer is asked about %s", (command) => {
    expect(verdictOf(command, "implementation", containment)).not.toBe("allow");
  });

  test("a recursive copy may go where no link is", () => {
    expect(verdictOf("cp -r src plain", "implementation", containment)).toBe("allow");
  });

  test.each([
    "cat a.txt",
    "wc -l src/*.ts",
    "cat [a].txt plain/*",
    "grep -rn x src plain",
    "git status && git diff",
    "git -C src log -p",
  ])("a planner may run %s", (command) => {
    const isClosed = containment === "none" && command.includes("[");
    expect(verdictOf(command, "planner", containment)).toBe(isClosed ? "ask" : "allow");
  });
});

describe("secrets that a program finds by itself", () => {
  test.each(["grep -r x .", "grep -r x env", "rg --hidden x", "cp -r env copy", "git grep x"])(
    "are not there where the kernel holds %s, and are asked about elsewhere",
    (command) => {
      expect(verdictOf(command, "implementation", "kernel")).toBe("allow");
      expect(verdictOf(command, "implementation", "none")).toBe("ask");
    },
  );
});

describe("the closed list", () => {
  test.each([
    "ls -la && git log --oneline -5 | head -n 3",
    "cat a.txt > b.txt 2>&1",
    "git commit -m 'it'\\''s done'",
    'grep -n "foo\\|bar" src/a.ts | wc -l',
    "find . -name '*.ts' -not -path './x/*'",
    "npm test; npm run build",
    "FOO=1 npm test",
    "timeout 60 npm test",
    "sed -i 's/a/b/' src/a.ts",
    "bash -lc 'git status'",
  ])("has %s", (command) => {
    expect(verdictOf(command, "implementation", "none")).toBe("allow");
  });

  test.each([
    "x=1; echo $x",
    "echo $(ls)",
    "echo `ls`",
    "cat <<'E'\nx\nE",
    "cat <<< x",
    "echo {a,b}",
    "(ls)",
    "{ ls; }",
    "if true; then ls; fi",
    "for f in a b; do ls; done",
    "f() { ls; }; f",
    "ls &",
    "! ls",
    "[[ -f a.txt ]]",
    "echo ~/x",
    "echo a # b",
    "bash -c 'echo $x'",
    "ls | xargs cat",
    "find . -exec cat {} +",
    "cat a.txt | python3 src/x.py",
    "cat inner/a.ts",
    "sed 's/[a]/b/' a.txt",
    "awk '/x/ {print}' a.txt",
    "git switch other && cat a.txt",
    "ls \\\n -l",
    "e\\\ncho x",
    "echo é",
  ])("does not have %s", (command) => {
    expect(verdictOf(command, "implementation", "none")).not.toBe("allow");
  });
});
