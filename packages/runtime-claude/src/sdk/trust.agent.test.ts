import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import {
  CanaryProject,
  canariesIn,
  mcpServerArguments,
} from "../../../runtime/src/test-support/canary.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, openClaudeHost } from "../test-support/claude-session.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";

const place = useClaudePlace();
let project: CanaryProject;

const allTexts = ["agent", "claude-md", "command", "local-md", "nested-md", "rule", "skill"];
const allMarks = ["hook", "local-hook", "mcp"];

function canaries(names: readonly string[]): string[] {
  return names.map((name) => `CANARY-${name}`);
}

function settings(mark: string): string {
  const hooks = [{ hooks: [{ type: "command", command: project.touch(mark) }] }];
  return JSON.stringify({ hooks: { SessionStart: hooks } });
}

beforeAll(() => {
  project = new CanaryProject(place.cwd, join(place.cwd, "..", "marks"));
  project.write("CLAUDE.md", "CANARY-claude-md");
  project.write("CLAUDE.local.md", "CANARY-local-md");
  project.write(".claude/CLAUDE.md", "CANARY-nested-md");
  project.write(".claude/rules/style.md", "CANARY-rule");
  project.write(".claude/settings.json", settings("hook"));
  project.write(".claude/settings.local.json", settings("local-hook"));
  const define = (name: string) => `---\nname: ${name}\ndescription: CANARY-${name}\n---\nDo it.`;
  project.write(".claude/agents/agent.md", define("agent"));
  project.write(".claude/skills/skill/SKILL.md", define("skill"));
  project.write(".claude/commands/command.md", define("command"));
  const args = mcpServerArguments(join(project.marks, "mcp"));
  const mcpServers = { tickets: { command: process.execPath, args } };
  project.write(".mcp.json", JSON.stringify({ mcpServers }));
});

function openHost(runtime: ClaudeRuntimeOptions = {}): SessionHost {
  const host = openClaudeHost(place, runtime);
  onTestFinished(() => host.close());
  return host;
}

/** What the model was sent in one turn. */
async function textsOf(session: ClaudeSession): Promise<string[]> {
  const before = place.standin.requests.length;
  await session.turn("SCENARIO:text hello");
  return canariesIn(place.standin.requests.slice(before));
}

async function trust(host: SessionHost): Promise<void> {
  const { digest } = await host.trust.get(place.cwd);
  expect(await host.trust.set(place.cwd, digest)).toMatchObject({ ok: true });
}

describe("a project's own files", () => {
  test("take no effect while the project is not trusted, all of them when it is, and none after a hook was changed", async () => {
    const host = openHost({ warmProcesses: 1 });
    const session = await ClaudeSession.create(host);
    const state = () => session.session.control.session.configuration;
    expect(state()).toMatchObject({ trust: "untrusted", hooks: [], instructions: [] });
    expect(await textsOf(session)).toEqual([]);
    expect(await project.left()).toEqual([]);

    await trust(host);
    expect(await textsOf(session)).toEqual(canaries(allTexts));
    expect(await project.left(...allMarks)).toEqual(allMarks);
    expect(state()).toEqual({
      trust: "trusted",
      user_settings: false,
      instructions: ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"],
      agents: ["agent"],
      skills: ["skill"],
      commands: ["command"],
      mcp_servers: ["tickets"],
      hooks: ["SessionStart"],
    });
    const events = await session.events();
    expect(events[0]?.data).toMatchObject({ configuration: { trust: "untrusted" } });

    // A session that begins now must not get the process that was started ahead.
    const other = await ClaudeSession.create(host);
    expect(await textsOf(other)).toEqual(canaries(allTexts));

    project.write(".claude/settings.json", settings("changed-hook"));
    // What was said before is in the conversation; only a new session shows what is in force.
    const later = await ClaudeSession.create(host);
    expect(await textsOf(later)).toEqual([]);
    await session.turn("SCENARIO:text again");
    expect(state()).toMatchObject({ trust: "changed", hooks: [], agents: [] });
    expect(await project.left()).toEqual(allMarks);
    project.write(".claude/settings.json", settings("hook"));
  });
});

describe("a person's own settings", () => {
  test("apply where the runtime has them as a source, without those of the project", async () => {
    const config = process.env["CLAUDE_CONFIG_DIR"] ?? "";
    const own = new CanaryProject(config, project.marks);
    own.write("CLAUDE.md", "CANARY-personal");
    const without = await ClaudeSession.create(openHost());
    expect(await textsOf(without)).toEqual([]);
    const session = await ClaudeSession.create(openHost({ settingSources: ["user"] }));
    expect(await textsOf(session)).toEqual(["CANARY-personal"]);
    const { configuration } = session.session.control.session;
    expect(configuration).toMatchObject({ trust: "untrusted", user_settings: true });
    expect(configuration?.instructions).toEqual([join(config, "CLAUDE.md")]);
  });
});
