import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { call, type Scenario, text } from "@turnwire/conformance/openai-standin";
import type { CreateSession, SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { greeting, startHttpLab, stdioLab } from "../../../runtime/src/test-support/mcp-lab.ts";
import { livingServers, useCodexPlace } from "../test-support/codex-place.ts";

/** Starts two sub-agents that wait, and says what came of both. */
const spawnTwice: Scenario = ({ round, toolOutputs }) => {
  if (round === 2) return [text(toolOutputs.join(" "))];
  const message = "SCENARIO:hold helpers";
  const input = { task_name: `helper_${round}`, message, fork_turns: "none" };
  return [call("spawn_agent", input, "collaboration")];
};

const place = useCodexPlace({ standin: { scenarios: { "spawn-twice": spawnTwice } } });
let host: SessionHost;
const errors: unknown[] = [];

beforeAll(() => {
  host = place.openHost({}, { onError: (error) => void errors.push(error) });
});

afterAll(() => host.close());

async function using(creation: CreateSession, work: (own: AgentSession) => Promise<void>) {
  const own = await AgentSession.create(host, creation);
  await work(own);
  await own.session.hibernate();
}

function lastBody(): unknown {
  return place.standin.requests.at(-1)?.body;
}

describe("the effort of a session", () => {
  test("reaches the model from the first turn, changes with the next, and outlives the run", async () => {
    await using({ effort: "low" }, async (own) => {
      await own.turn("SCENARIO:text one");
      expect(lastBody()).toMatchObject({ reasoning: { effort: "low" } });
      await own.execute({ type: "set_effort", effort: "xhigh" });
      await own.turn("SCENARIO:text two");
      expect(lastBody()).toMatchObject({ reasoning: { effort: "xhigh" } });
      await own.session.hibernate();
      await own.turn("SCENARIO:text three");
      expect(lastBody()).toMatchObject({ reasoning: { effort: "xhigh" } });
    });
  });

  test("is Codex's own again after null", async () => {
    await using({}, async (own) => {
      await own.turn("SCENARIO:text one");
      const { reasoning } = lastBody() as { reasoning: unknown };
      await own.execute({ type: "set_effort", effort: "low" });
      await own.turn("SCENARIO:text two");
      expect(lastBody()).toMatchObject({ reasoning: { effort: "low" } });
      await own.execute({ type: "set_effort", effort: null });
      await own.turn("SCENARIO:text three");
      expect(lastBody()).toMatchObject({ reasoning });
    });
  });
});

describe("MCP servers of a session", () => {
  test("are used with their secrets, which are shown nowhere, and by no other session", async () => {
    const secret = `secret-${randomUUID()}`;
    const http = await startHttpLab(secret);
    const mcp_servers = { files: stdioLab(secret), web: http.server };
    await using({ mcp_servers, permission_mode: "auto" }, async (own) => {
      for (const name of ["files", "web"]) {
        const events = await own.turn(`SCENARIO:mcp ${name}/greet {}`);
        expect(spoken(events)).toContain(greeting(secret));
      }
      await own.session.hibernate();
      expect(spoken(await own.turn("SCENARIO:mcp files/greet {}"))).toContain(greeting(secret));
      const seen = JSON.stringify([await own.events(), own.session.info(), errors]);
      expect(seen).not.toContain(secret);
      for (const pid of await livingServers()) {
        expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(secret);
        expect(await readFile(`/proc/${pid}/environ`, "utf8")).not.toContain(secret);
      }
      const config = await readFile(join(place.home.path, "config.toml"), "utf8");
      expect(config).not.toContain(secret);
    });
    await using({ permission_mode: "auto" }, async (own) => {
      await own.turn("SCENARIO:text hello");
      expect(JSON.stringify(lastBody())).not.toContain("greet");
    });
    await http.close();
  });

  test("that cannot be reached are reported, without the secret, and the turn runs", async () => {
    const secret = `secret-${randomUUID()}`;
    const mcp_servers: CreateSession["mcp_servers"] = {
      gone: { type: "stdio", command: "/nowhere/server", env: { TOKEN: secret } },
    };
    await using({ mcp_servers }, async (own) => {
      expect(ending(await own.turn("SCENARIO:text fine")).isError).toBe(false);
      const { mcp } = (await own.session.snapshot()).state;
      expect(mcp["gone"]).toBe("failed");
      expect(JSON.stringify([await own.events(), errors])).not.toContain(secret);
    });
  });
});

describe("the system prompt of a session", () => {
  const words = "Always speak like a lighthouse keeper.";
  const own = "You are Codex";

  test("is added to Codex's own, or takes its place", async () => {
    await using({ system_prompt: words }, async (session) => {
      await session.turn("SCENARIO:text hello");
      expect(JSON.stringify(lastBody())).toContain(words);
      expect(JSON.stringify(lastBody())).toContain(own);
    });
    await using({ system_prompt: { mode: "replace", text: words } }, async (session) => {
      await session.turn("SCENARIO:text hello");
      expect(JSON.stringify(lastBody())).toContain(words);
      expect(JSON.stringify(lastBody())).not.toContain(own);
    });
  });
});

describe("sub-agents", () => {
  test("are as many as the session allows", async () => {
    const agents = place.openHost({ config: { "features.multi_agent_v2": true } });
    const outcomes = async (agentLimits: CreateSession["agents"]) => {
      const creation = { ...(agentLimits && { agents: agentLimits }) };
      const own = await AgentSession.create(agents, creation);
      return spoken((await own.turn("SCENARIO:spawn-twice")).filter(isOfMain));
    };
    // The first is still at work when the second is wanted.
    expect(await outcomes({ max_threads: 1 })).toMatch(/limit/);
    expect(await outcomes(undefined)).not.toMatch(/limit/);
    place.standin.release("helpers");
    await agents.close();
  });
});

function isOfMain({ subagent_id }: SessionEvent): boolean {
  return subagent_id === undefined;
}

test.each<[string, CreateSession]>([
  ["allowed_tools", { allowed_tools: ["shell"] }],
  ["disallowed_tools", { disallowed_tools: ["shell"] }],
  ["hooks", { hooks: ["PreToolUse"] }],
  ["max_turns", { max_turns: 3 }],
])("what Codex has no way for is refused by the name of its field: %s", async (field, creation) => {
  expect(await host.create(creation, admin)).toMatchObject({
    ok: false,
    error: { code: "capability_missing", message: expect.stringContaining(field) },
  });
});
