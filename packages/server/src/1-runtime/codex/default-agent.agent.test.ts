import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, type Scenario, text } from "@turnwire/conformance/openai-standin";
import { createMemoryStore } from "@turnwire/log";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SessionHost } from "../../2-session/session-host.ts";
import { AgentSession } from "../test-support/agent-session.ts";
import { useCodexPlace } from "./test-support/codex-place.ts";

const place = useCodexPlace({ home: { features: "multi_agent_v2 = true" } });

const instructions = {
  implementer: "You implement one change",
  reviewer: "You review a change",
};

/** Starts an agent of the type in the prompt, and waits for it. */
const spawn: Scenario = ({ round, argument }) => {
  const input = { task_name: "task", message: "SCENARIO:text child", fork_turns: "none" };
  if (round === 0)
    return [call("spawn_agent", { ...input, agent_type: argument }, "collaboration")];
  if (round === 1) return [call("wait_agent", { timeout_ms: 10_000 }, "collaboration")];
  return [text("Back.")];
};

beforeAll(() => place.standin.scenario("spawn", spawn));

function openHost(runtime: string): SessionHost {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [place.createRuntime(), place.createExecRuntime()],
    defaultRuntime: runtime,
    roots: [place.cwd],
  });
  onTestFinished(() => host.close());
  return host;
}

/** What the models of a turn have read. */
async function readIn(session: AgentSession, message: string): Promise<string> {
  const before = place.standin.requests.length;
  await session.turn(message);
  return JSON.stringify(place.standin.requests.slice(before).map(({ body }) => body));
}

describe.each(["codex", "codex-exec"])("the default agents in %s", (runtime) => {
  test.each(Object.entries(instructions))(
    "%s is offered to the model, and its instructions reach the agent",
    async (name, words) => {
      const session = await AgentSession.create(openHost(runtime));
      const read = await readIn(session, `SCENARIO:spawn ${name}`);
      expect(read).toContain(`\\n${name}: {`);
      expect(read).toContain("explorer: {");
      expect(read).toContain(words);
    },
  );

  test("gives way to an agent of that name that a trusted project or the home defines", async () => {
    const host = openHost(runtime);
    const define = (place_: string, word: string): void => {
      mkdirSync(place_, { recursive: true });
      const body = `name = "reviewer"\ndescription = "${word}"\ndeveloper_instructions = "${word}"\n`;
      writeFileSync(join(place_, "own.toml"), body);
    };
    const cwd = join(place.cwd, runtime);
    define(join(cwd, ".codex/agents"), "of the project");
    const session = await AgentSession.create(host, { cwd });
    const untrusted = await readIn(session, "SCENARIO:spawn reviewer");
    expect(untrusted).toContain(instructions.reviewer);
    expect(untrusted).not.toContain("of the project");
    const { digest } = await host.trust.get(cwd);
    await host.trust.set(cwd, digest);
    const trusting = await AgentSession.create(host, { cwd });
    const trusted = await readIn(trusting, "SCENARIO:spawn reviewer");
    expect(trusted).toContain("of the project");
    expect(trusted).not.toContain(instructions.reviewer);
    expect(trusted).toContain("\\nimplementer: {");

    const agents = join(place.home.path, "agents");
    define(agents, "of the home");
    onTestFinished(() => rmSync(agents, { recursive: true }));
    const own = await AgentSession.create(host);
    const personal = await readIn(own, "SCENARIO:spawn reviewer");
    expect(personal).toContain("of the home");
    expect(personal).not.toContain(instructions.reviewer);
  });
});
