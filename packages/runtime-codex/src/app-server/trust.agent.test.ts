import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readdir, readFile } from "node:fs/promises";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import {
  CanaryProject,
  canariesIn,
  mcpServerArguments,
} from "../../../runtime/src/test-support/canary.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { useSpawnedAgents } from "../test-support/spawned-agent.ts";

const place = useCodexPlace({ home: { features: "multi_agent_v2 = true" } });
const spawn = useSpawnedAgents(place);

/** A thread keeps the developer instructions that it began with, so a resumed one does not show them. */
const resumed = ["agents-md", "codex-skill", "root-md", "skill"];
const allMarks = ["hook", "mcp"];

function canaries(names: readonly string[]): string[] {
  return names.map((name) => `CANARY-${name}`);
}

function hooks(project: CanaryProject, mark: string): string {
  const command = project.touch(mark);
  return JSON.stringify({
    hooks: { UserPromptSubmit: [{ hooks: [{ type: "command", command }] }] },
  });
}

/** A repository with files at its root and in the directory that agents work in. */
function plant(name: string): CanaryProject {
  const root = new CanaryProject(join(place.cwd, name), join(place.directory, `${name}-marks`));
  execFileSync("git", ["init", "-q", root.cwd]);
  const project = new CanaryProject(join(root.cwd, "part"), root.marks);
  root.write("AGENTS.md", "CANARY-root-md");
  project.write("AGENTS.md", "CANARY-agents-md");
  const define = (word: string) => `---\nname: ${word}\ndescription: CANARY-${word}\n---\nDo it.`;
  root.write(".agents/skills/skill/SKILL.md", define("skill"));
  project.write(".codex/skills/codex-skill/SKILL.md", define("codex-skill"));
  project.write(
    ".codex/agents/helper.toml",
    'name = "helper"\ndescription = "helps"\ndeveloper_instructions = "CANARY-helper"\n',
  );
  const args = mcpServerArguments(join(project.marks, "mcp"));
  project.write(
    ".codex/config.toml",
    `developer_instructions = "CANARY-developer"\n[mcp_servers.tickets]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify(args)}\n`,
  );
  project.write(".codex/hooks.json", hooks(project, "hook"));
  return project;
}

function openHost(runtime: "codex" | "codex-exec"): SessionHost {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [place.createRuntime(), place.createExecRuntime()],
    defaultRuntime: runtime,
    roots: [place.cwd],
  });
  onTestFinished(() => host.close());
  return host;
}

async function textsOf(session: AgentSession): Promise<string[]> {
  const before = place.standin.requests.length;
  await session.turn("SCENARIO:text hello");
  return canariesIn(place.standin.requests.slice(before));
}

const writingMode = { codex: "auto", "codex-exec": "workspace-write" };

describe.each(["codex", "codex-exec"] as const)("a project's own files in %s", (runtime) => {
  test("take no effect while it is not trusted, all of them when it is, and none after a hook was changed", async () => {
    const host = openHost(runtime);
    const project = plant(runtime);
    // In the others Codex does not trust the project by itself.
    const creation = { cwd: project.cwd, permission_mode: writingMode[runtime] };
    const config = join(place.home.path, "config.toml");
    const settings = await readFile(config, "utf8");
    const first = await AgentSession.create(host, creation);
    const state = () => first.session.control.session.configuration;
    expect(canariesIn(await spawn(first, "helper", false))).toEqual([]);
    expect(await project.left()).toEqual([]);
    expect(state()).toMatchObject({ trust: "untrusted", hooks: [] });

    const { digest } = await host.trust.get(project.cwd);
    expect(await host.trust.set(project.cwd, digest)).toMatchObject({ ok: true });
    expect(await textsOf(first)).toEqual(canaries(resumed));
    const fresh = await AgentSession.create(host, creation);
    const texts = canariesIn(await spawn(fresh, "helper"));
    expect(texts).toEqual(canaries([...resumed, "developer", "helper"]).toSorted());
    expect(await project.left(...allMarks)).toEqual(allMarks);
    expect(state()).toEqual({
      trust: "trusted",
      user_settings: false,
      instructions: ["AGENTS.md", join(project.cwd, "../AGENTS.md")],
      agents: ["helper"],
      skills: ["codex-skill", "skill"],
      commands: [],
      mcp_servers: ["tickets"],
      hooks: ["UserPromptSubmit"],
    });

    project.write(".codex/hooks.json", hooks(project, "changed-hook"));
    const later = await AgentSession.create(host, creation);
    expect(await textsOf(later)).toEqual([]);
    await first.turn("SCENARIO:text again");
    expect(state()).toMatchObject({ trust: "changed", hooks: [], agents: [] });
    expect(await project.left()).toEqual(allMarks);
    // Without a trust level Codex writes one into its settings.
    expect(await readFile(config, "utf8")).toBe(settings);
  });
});

describe.each(["codex", "codex-exec"] as const)("a person's own settings in %s", (runtime) => {
  test("apply in a home of ours where they are asked for, and stay as they are", async () => {
    const personal = new CanaryProject(join(place.directory, ".codex"), place.directory);
    const own = await readFile(join(place.home.path, "config.toml"), "utf8");
    personal.write("config.toml", own);
    personal.write("AGENTS.md", "CANARY-personal-md");
    personal.write(
      "agents/own.toml",
      'name = "helper"\ndescription = "helps"\ndeveloper_instructions = "CANARY-personal-agent"\n',
    );
    personal.write(
      "skills/own/SKILL.md",
      "---\nname: own\ndescription: CANARY-personal-skill\n---\nDo it.",
    );
    const before = (await readdir(personal.cwd, { recursive: true })).toSorted();
    const home = join(place.directory, `${runtime}-home`);
    const options = { home, usesPersonalSettings: true };
    const cwd = join(place.cwd, `${runtime}-plain`);
    execFileSync("git", ["init", "-q", cwd]);
    const host = new SessionHost({
      store: createMemoryStore(),
      runtimes: [place.createRuntime(options), place.createExecRuntime(options)],
      defaultRuntime: runtime,
      roots: [place.cwd],
    });
    onTestFinished(() => host.close());
    const session = await AgentSession.create(host, { cwd });
    const texts = canariesIn(await spawn(session, "helper"));
    expect(texts).toEqual(["CANARY-personal-agent", "CANARY-personal-md", "CANARY-personal-skill"]);
    const { configuration } = session.session.control.session;
    expect(configuration).toMatchObject({
      trust: "none",
      user_settings: true,
      agents: ["helper"],
      skills: ["own"],
    });
    expect((await readdir(personal.cwd, { recursive: true })).toSorted()).toEqual(before);
    expect(await readFile(join(personal.cwd, "config.toml"), "utf8")).toBe(own);
  });
});
