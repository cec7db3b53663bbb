import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";
import { useSpawnedAgents } from "../test-support/spawned-agent.ts";

const place = useCodexPlace({ home: { features: "multi_agent_v2 = true" } });
const spawn = useSpawnedAgents(place);

const instructions = {
  implementer: "You implement one change",
  reviewer: "You review a change",
};

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

/** What the models of a turn with an agent of the type have read. */
async function readIn(session: AgentSession, agentType: string): Promise<string> {
  return JSON.stringify((await spawn(session, agentType)).map(({ body }) => body));
}

describe.each(["codex", "codex-exec"])("the default agents in %s", (runtime) => {
  test.each(Object.entries(instructions))(
    "%s is offered to the model, and its instructions reach the agent",
    async (name, words) => {
      const session = await AgentSession.create(openHost(runtime));
      const read = await readIn(session, name);
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
    const untrusted = await readIn(session, "reviewer");
    expect(untrusted).toContain(instructions.reviewer);
    expect(untrusted).not.toContain("of the project");
    const { digest } = await host.trust.get(cwd);
    await host.trust.set(cwd, digest);
    const trusting = await AgentSession.create(host, { cwd });
    const trusted = await readIn(trusting, "reviewer");
    expect(trusted).toContain("of the project");
    expect(trusted).not.toContain(instructions.reviewer);
    expect(trusted).toContain("\\nimplementer: {");

    const agents = join(place.home.path, "agents");
    define(agents, "of the home");
    onTestFinished(() => rmSync(agents, { recursive: true }));
    const own = await AgentSession.create(host);
    const personal = await readIn(own, "reviewer");
    expect(personal).toContain("of the home");
    expect(personal).not.toContain(instructions.reviewer);
  });
});
