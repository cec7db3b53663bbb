import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "@turnwire/base";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { claudeConfiguration } from "../../../runtime-claude/src/sdk/configuration.ts";
import { codexConfiguration } from "../../../runtime-codex/src/setting/configuration.ts";
import { TrustedDirectories } from "./trusted-directories.ts";
import { createTrustFile } from "./trust-file.ts";
import { createMemoryTrust } from "./trust-store.ts";

let directory: string;
let project: string;
let trust: TrustedDirectories;
const changed: string[] = [];

const runtimes = [
  { name: "claude", configuration: claudeConfiguration({}) },
  { name: "codex", configuration: codexConfiguration({ home: "/nowhere" }) },
  { name: "codex-exec", configuration: codexConfiguration({ home: "/nowhere" }) },
  { name: "demo" },
];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-trust-")));
  project = join(directory, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  changed.length = 0;
  trust = new TrustedDirectories({
    store: createMemoryTrust(),
    runtimes,
    clock: systemClock,
    onChanged: (path) => changed.push(path),
  });
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function write(path: string, text: string, root = project): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function hookRunning(command: string): string {
  return JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
}

async function trustNow(path = project): Promise<void> {
  const { digest } = await trust.get(path);
  expect(await trust.set(path, digest)).toMatchObject({ ok: true });
}

const statusOf = async (path = project) => (await trust.get(path)).status;

describe("a script that a hook names is covered however the command is written:", () => {
  test.each<[command: string, file: string]>([
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh', ".claude/hooks/check.sh"],
    ['"${CLAUDE_PROJECT_DIR}/my hooks/check.sh" --fast', "my hooks/check.sh"],
    ['bash -c "./scripts/check.sh --fast"', "scripts/check.sh"],
    ["cd scripts && ./d.sh", "scripts/d.sh"],
    ["cd scripts && cd 'in ner' && ./d.sh", "scripts/in ner/d.sh"],
    ["S=scripts; $S/f.sh", "scripts/f.sh"],
    ['S="$PWD/scripts"; "${S}/f.sh"', "scripts/f.sh"],
    ["python3 -m pkg.mod", "pkg/mod.py"],
    ["python3 -m pkg.mod", "pkg/deep/other.py"],
    ["for f in scripts/h*.sh; do sh $f; done", "scripts/hook-1.sh"],
    ["node scripts/g", "scripts/g.js"],
    ["node scripts/g", "scripts/g/index.js"],
    ["make check", "Makefile"],
    ["make -C build check", "build/Makefile"],
    ["npm run check", "package.json"],
  ])("%s runs %s", async (command, file) => {
    write(".claude/settings.json", hookRunning(command));
    write(file, "one");
    await trustNow();
    expect(await statusOf()).toBe("trusted");
    write(file, "two");
    expect(await statusOf()).toBe("changed");
  });

  test("by its absolute path", async () => {
    write(".claude/settings.json", hookRunning(`'${project}/check.sh'`));
    write("check.sh", "one");
    await trustNow();
    write("check.sh", "two");
    expect(await statusOf()).toBe("changed");
  });

  test("and where it is a link to outside, the directory cannot be trusted", async () => {
    write(".claude/settings.json", hookRunning('"$CLAUDE_PROJECT_DIR"/check.sh'));
    write("elsewhere.sh", "one", directory);
    symlinkSync(join(directory, "elsewhere.sh"), join(project, "check.sh"));
    const { digest, problem } = await trust.get(project);
    expect(problem).toContain("elsewhere.sh, outside the project");
    expect(await trust.set(project, digest)).toMatchObject({ error: { code: "forbidden" } });
  });

  test("but a link to a program of the system is only kept from being changed", async () => {
    write(".claude/settings.json", hookRunning(".venv/bin/python run.py"));
    mkdirSync(join(project, ".venv/bin"), { recursive: true });
    symlinkSync("/usr/bin/env", join(project, ".venv/bin/python"));
    await trustNow();
    expect(await statusOf()).toBe("trusted");
  });

  test("and what is not covered is said before it is trusted", async () => {
    write(".claude/settings.json", hookRunning("$TOOLS/check.sh && make lint"));
    write("CLAUDE.md", "Be kind.");
    expect((await trust.get(project)).not_covered).toEqual([
      "$TOOLS/check.sh: what it names is known only when it runs.",
      "The files that make runs in turn.",
      "Files that these commands and their scripts read or run in turn.",
      "Programs outside the project, and packages that are installed in it.",
      "The text of instructions, such as CLAUDE.md, and its imports.",
    ]);
  });
});

describe("what is found in a directory", () => {
  test("is nothing in an empty one", async () => {
    expect(await trust.get(project)).toMatchObject({ status: "none", findings: [] });
  });

  test("names everything that would configure an agent, what would run, and who reads it", async () => {
    write("CLAUDE.md", "Read @docs/style.md and @~/private.md");
    write("AGENTS.md", "Be kind.");
    write(".claude/settings.json", hookRunning("./check.sh"));
    write(".mcp.json", JSON.stringify({ mcpServers: { db: { command: "npx", args: ["db"] } } }));
    write(".claude/agents/a.md", "---\nname: reviewer\n---\n");
    write(".claude/skills/lint/SKILL.md", "Lint.");
    write(".claude/commands/ship.md", "Ship.");
    write(".codex/config.toml", '[mcp_servers.api]\nurl = "http://127.0.0.1/"\n');
    const { findings, status } = await trust.get(project);
    expect(status).toBe("untrusted");
    const codex = ["codex", "codex-exec"];
    const claude = ["claude"];
    expect(findings.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {
        kind: "agent",
        path: ".claude/agents/a.md",
        name: "reviewer",
        runtimes: claude,
        can_execute: true,
      },
      {
        kind: "command",
        path: ".claude/commands/ship.md",
        name: "ship",
        runtimes: claude,
        can_execute: true,
      },
      { kind: "settings", path: ".claude/settings.json", runtimes: claude, can_execute: true },
      {
        kind: "hook",
        path: ".claude/settings.json",
        name: "Stop",
        detail: "./check.sh",
        runtimes: claude,
        can_execute: true,
      },
      {
        kind: "skill",
        path: ".claude/skills/lint/SKILL.md",
        name: "lint",
        runtimes: claude,
        can_execute: true,
      },
      { kind: "settings", path: ".codex/config.toml", runtimes: codex, can_execute: true },
      {
        kind: "mcp_server",
        path: ".codex/config.toml",
        name: "api",
        detail: '"http://127.0.0.1/"',
        runtimes: codex,
        can_execute: true,
      },
      {
        kind: "mcp_server",
        path: ".mcp.json",
        name: "db",
        detail: "npx db",
        runtimes: claude,
        can_execute: true,
      },
      { kind: "instructions", path: "AGENTS.md", runtimes: codex, can_execute: false },
      {
        kind: "instructions",
        path: "CLAUDE.md",
        detail: "imports docs/style.md, ~/private.md",
        runtimes: claude,
        can_execute: false,
      },
    ]);
  });

  test("includes what the directories above add, as far as agents look there", async () => {
    write("CLAUDE.md", "Root.");
    write(".claude/settings.json", hookRunning("root"));
    write(".claude/agents/a.md", "Root.");
    write(".mcp.json", JSON.stringify({ mcpServers: { above: { command: "x" } } }), directory);
    write(".claude/agents/b.md", "Outside the repository.", directory);
    const part = join(project, "part");
    mkdirSync(part);
    const { findings } = await trust.get(part);
    const paths = findings.map(({ path }) => path);
    expect(paths.toSorted()).toEqual(["../../.mcp.json", "../.claude/agents/a.md", "../CLAUDE.md"]);
  });

  test("is bounded, and what cannot be looked at cannot be trusted", async () => {
    for (let index = 0; index < 2100; index += 1) write(`.claude/agents/${index}.md`, "An agent.");
    const info = await trust.get(project);
    expect(info.findings).toHaveLength(500);
    expect(info.is_truncated).toBe(true);
    expect(info.problem).toContain("more than 2000 files");
    const refused = await trust.set(project, info.digest);
    expect(refused).toMatchObject({ ok: false, error: { code: "forbidden" } });
  });

  test("never leads outside: a link is named, not followed", async () => {
    const secret = join(directory, "secret.json");
    writeFileSync(secret, hookRunning("read me"));
    mkdirSync(join(project, ".claude"));
    symlinkSync(secret, join(project, ".claude/settings.json"));
    const { findings, problem } = await trust.get(project);
    expect(findings).toMatchObject([{ kind: "settings", detail: `a link to ${secret}` }]);
    expect(problem).toContain("outside the project");
    expect(await trust.get(project)).not.toMatchObject({ status: "trusted" });
  });

  test("says so of what is broken, too large, a pipe or not readable, and waits for none of it", async () => {
    write(".mcp.json", "{ broken");
    write(".claude/agents/large.md", "x".repeat(1024 * 1024 + 1));
    execFileSync("mkfifo", [join(project, ".claude/settings.json")]);
    write(".claude/commands/secret.md", "x");
    chmodSync(join(project, ".claude/commands/secret.md"), 0);
    const { findings } = await trust.get(project);
    const details = Object.fromEntries(findings.map(({ path, detail }) => [path, detail]));
    expect(details).toMatchObject({
      ".mcp.json": "cannot be understood",
      ".claude/agents/large.md": "larger than 1024 KiB",
      ".claude/settings.json": "not a regular file",
    });
    // Root reads everything.
    const isRoot = process.getuid?.() === 0;
    expect(details[".claude/commands/secret.md"]).toBe(
      isRoot ? undefined : "cannot be read (EACCES)",
    );
  });
});

describe("the trust of a directory", () => {
  beforeEach(() => {
    write(".claude/settings.json", hookRunning("bash scripts/check.sh"));
    write("scripts/check.sh", "echo checked");
    write("CLAUDE.md", "Be brief.");
  });

  test("holds until something changes that can run commands", async () => {
    expect(await statusOf()).toBe("untrusted");
    await trustNow();
    expect(changed).toEqual([project]);
    expect(await trust.get(project)).toMatchObject({ status: "trusted", trusted_path: project });
    write("CLAUDE.md", "Be verbose.");
    write(".claude/rules/new.md", "A rule.");
    expect(await statusOf()).toBe("trusted");
    write(".claude/settings.json", hookRunning("curl"));
    expect(await statusOf()).toBe("changed");
    write(".claude/settings.json", hookRunning("bash scripts/check.sh"));
    expect(await statusOf()).toBe("trusted");
  });

  test.each([
    ["a script that a hook runs", "scripts/check.sh"],
    ["a new MCP server", ".mcp.json"],
    ["a new agent", ".claude/agents/new.md"],
    ["a new skill", ".agents/skills/new/SKILL.md"],
    ["settings of another runtime", ".codex/config.toml"],
  ])("ends with %s", async (_name, path) => {
    await trustNow();
    write(path, "{}");
    expect(await statusOf()).toBe("changed");
    await trustNow();
    expect(await statusOf()).toBe("trusted");
  });

  test("is refused for what is no longer as it was shown", async () => {
    const { digest } = await trust.get(project);
    write(".claude/settings.json", hookRunning("curl"));
    const refused = await trust.set(project, digest);
    expect(refused).toMatchObject({ ok: false, error: { code: "trust_changed" } });
    expect(await statusOf()).toBe("untrusted");
  });

  test("holds for what is below, unless that adds something that can run commands", async () => {
    await trustNow();
    write("part/CLAUDE.md", "A part.");
    write("tool/.claude/settings.json", hookRunning("curl"));
    expect(await statusOf(join(project, "part"))).toBe("trusted");
    expect(await statusOf(join(project, "tool"))).toBe("untrusted");
    write(".claude/settings.json", hookRunning("curl"));
    expect(await statusOf(join(project, "part"))).toBe("changed");
  });

  test("does not extend to what is beside or above", async () => {
    await trustNow();
    const beside = join(directory, "project-two");
    write("CLAUDE.md", "Another.", beside);
    write("CLAUDE.md", "Above.", directory);
    expect(await statusOf(beside)).toBe("untrusted");
    expect(await statusOf(directory)).toBe("untrusted");
  });

  test("can be taken back, once", async () => {
    await trustNow();
    expect((await trust.list()).directories).toMatchObject([{ path: project }]);
    expect(await trust.remove(project)).toBe(true);
    expect(await trust.remove(project)).toBe(false);
    expect(await statusOf()).toBe("untrusted");
    expect(changed).toEqual([project, project]);
  });

  test("of many is kept, though they are trusted at once", async () => {
    const all = Array.from({ length: 20 }, (_, index) => join(directory, `p${index}`));
    for (const path of all) write("CLAUDE.md", "One.", path);
    await Promise.all(all.map((path) => trustNow(path)));
    expect((await trust.list()).directories).toHaveLength(20);
  });
});

describe("the file of trusted directories", () => {
  test("outlives the server; a damaged one is put aside and nothing is trusted", async () => {
    const errors: Error[] = [];
    const store = createTrustFile(directory, (error) => errors.push(error));
    const record = { path: project, digest: "d", trusted_at: new Date(0).toISOString() };
    await store.save([record], []);
    expect(await createTrustFile(directory).load()).toEqual([record]);
    writeFileSync(join(directory, "trust.json"), "{ broken");
    expect(await store.load()).toEqual([]);
    expect(errors[0]?.message).toContain("was damaged");
    expect(await store.load()).toEqual([]);
  });
});
