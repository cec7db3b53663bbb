import { mkdtempSync, realpathSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { applyPersonalSettings, withoutProjects } from "./personal-settings.ts";

let directory: string;
let home: string;
let personal: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-personal-")));
  [home, personal] = [join(directory, "home"), join(directory, "person")];
  await mkdir(home);
  await write(
    personal,
    "config.toml",
    'model = "theirs"\n\n[projects."/a"]\ntrust_level = "trusted"\n',
  );
  await write(personal, "AGENTS.md", "Be brief.");
  await write(personal, "auth.json", "{}");
  await write(personal, "skills/lint/SKILL.md", "Lint.");
  await write(personal, "skills/.system/own/SKILL.md", "Codex's own.");
  await write(personal, "rules/default.rules", "rule");
});

afterEach(() => rm(directory, { recursive: true }));

async function write(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const read = (path: string): Promise<string> => readFile(join(home, path), "utf8");

async function filesOf(root: string): Promise<string[]> {
  return (await readdir(root, { recursive: true })).toSorted();
}

describe("a person's own settings of Codex", () => {
  test("apply in our home, and nothing of the person's is changed", async () => {
    const before = await filesOf(personal);
    await applyPersonalSettings(home, personal, true);
    expect(await read("AGENTS.md")).toBe("Be brief.");
    expect(await read("skills/lint/SKILL.md")).toBe("Lint.");
    expect(await read("rules/personal-default.rules")).toBe("rule");
    expect(await readdir(join(home, "skills"))).toEqual(["lint"]);
    expect(await read("config.toml")).toContain('model = "theirs"');
    expect(await read("config.toml")).not.toContain("projects");
    expect((await lstat(join(home, "config.toml"))).isSymbolicLink()).toBe(false);
    // Codex writes both: these must not be the person's.
    await write(home, "rules/default.rules", "ours");
    await write(home, "config.toml", `${await read("config.toml")}\n[notice]\nseen = true\n`);
    await applyPersonalSettings(home, personal, true);
    expect(await read("config.toml")).not.toContain("notice");
    expect(await filesOf(personal)).toEqual(before);
    expect(await readFile(join(personal, "rules/default.rules"), "utf8")).toBe("rule");
  });

  test("follow what the person changes, and go when they are switched off", async () => {
    await applyPersonalSettings(home, personal, true);
    await rm(join(personal, "AGENTS.md"));
    await write(personal, "skills/lint/SKILL.md", "Lint twice.");
    await write(personal, "config.toml", 'model = "other"\n');
    await applyPersonalSettings(home, personal, true);
    expect(await readdir(home)).not.toContain("AGENTS.md");
    expect(await read("skills/lint/SKILL.md")).toBe("Lint twice.");
    expect(await read("config.toml")).toContain('model = "other"');
    await applyPersonalSettings(home, personal, false);
    expect(await filesOf(home)).toEqual(["rules", "skills", "turnwire-personal.json"]);
  });

  test("leave alone what somebody put into our home", async () => {
    await write(home, "config.toml", 'model = "ours"\n');
    await write(home, "AGENTS.md", "Ours.");
    await applyPersonalSettings(home, personal, true);
    expect(await read("config.toml")).toBe('model = "ours"\n');
    expect(await read("AGENTS.md")).toBe("Ours.");
    await applyPersonalSettings(home, personal, false);
    expect(await read("AGENTS.md")).toBe("Ours.");
  });

  test("replace a config.toml in which Codex has only noted projects", async () => {
    await write(home, "config.toml", '[projects."/a"]\ntrust_level = "trusted"\n');
    await applyPersonalSettings(home, personal, true);
    expect(await read("config.toml")).toContain('model = "theirs"');
  });

  test("are none where the person never used Codex", async () => {
    await applyPersonalSettings(home, join(directory, "never-used"), true);
    expect(await readdir(home)).toEqual([]);
    await applyPersonalSettings(home, join(directory, "never-used"), false);
    expect(await readdir(home)).toEqual([]);
  });
});

test("only the tables of projects are left out of settings", () => {
  const text =
    'a = 1\n[projects."/x.y"]\ntrust_level = "trusted"\n[projects]\n[mcp_servers.a]\ncommand = "b"\n';
  expect(withoutProjects(text)).toBe('a = 1\n[mcp_servers.a]\ncommand = "b"\n');
});
