import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Scenario, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { CreateSession, McpServer } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import {
  greeting,
  labProgram,
  startHttpLab,
  stdioLab,
} from "../../../runtime/src/test-support/mcp-lab.ts";
import { livingAgents, useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost, spoken } from "../test-support/claude-session.ts";

const greet: Scenario = ({ argument, round, toolResults }) =>
  round === 0 ? [toolUse(`mcp__${argument}__greet`, {})] : [text(toolResults.join(" "))];

const place = useClaudePlace({ scenarios: { greet } });
let host: SessionHost;
const errors: unknown[] = [];

beforeAll(() => {
  host = openClaudeHost(
    place,
    { warmProcesses: 1 },
    { onError: (error) => void errors.push(error) },
  );
});

afterAll(() => host.close());

function lastRequest(): unknown {
  return place.standin.requests.at(-1)?.body;
}

function lastBody(): string {
  return JSON.stringify(lastRequest());
}

function effortOf(body: unknown): unknown {
  return (body as { output_config?: { effort?: string } }).output_config?.effort;
}

async function using(creation: CreateSession, work: (own: ClaudeSession) => Promise<void>) {
  const own = await ClaudeSession.create(host, creation);
  await work(own);
  await own.session.hibernate();
}

const words = "Always speak like a lighthouse keeper.";

describe("a session", () => {
  /** With all of it at once: starting an agent takes most of a second. */
  let own: ClaudeSession;

  beforeAll(async () => {
    own = await ClaudeSession.create(host, {
      effort: "low",
      allowed_tools: ["Write"],
      disallowed_tools: ["Bash", "Edit"],
      system_prompt: words,
    });
  });
  afterAll(() => own.session.hibernate());

  test("has its effort from the first turn; a change counts from the next one, and outlives the process", async () => {
    await own.turn("SCENARIO:text one");
    expect(effortOf(lastRequest())).toBe("low");
    await own.execute({ type: "set_effort", effort: "max" });
    await own.turn("SCENARIO:text two");
    expect(effortOf(lastRequest())).toBe("max");
    expect(own.session.info().effort).toBe("max");
    await own.session.hibernate();
    await own.turn("SCENARIO:text three");
    expect(effortOf(lastRequest())).toBe("max");
  });

  test("keeps tools that are not allowed from the model", async () => {
    await own.turn("SCENARIO:text hello");
    const body = lastRequest() as { tools: { name: string }[] };
    const names = body.tools.map(({ name }) => name);
    expect(names).toContain("Read");
    expect(names).not.toContain("Bash");
    expect(names).not.toContain("Edit");
  });

  test("runs tools that are allowed without asking", async () => {
    const events = await own.turn("SCENARIO:write allowed.txt");
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(ending(events).isError).toBe(false);
  });

  test("adds its system prompt to the agent's own", async () => {
    await own.turn("SCENARIO:text hello");
    expect(lastBody()).toContain(words);
    expect(lastBody()).toContain("Claude Code");
  });
});

test("a session without an effort has the model's own, and has it again after null", async () => {
  await using({}, async (own) => {
    await own.turn("SCENARIO:text one");
    const unnamed = effortOf(lastRequest());
    await own.execute({ type: "set_effort", effort: "low" });
    await own.turn("SCENARIO:text two");
    expect(effortOf(lastRequest())).toBe("low");
    await own.execute({ type: "set_effort", effort: null });
    await own.turn("SCENARIO:text three");
    expect(effortOf(lastRequest())).toBe(unnamed);
    expect(own.session.info()).not.toHaveProperty("effort");
  });
});

test("a system prompt takes the place of the agent's own where it replaces it", async () => {
  await using({ system_prompt: { mode: "replace", text: words } }, async (own) => {
    await own.turn("SCENARIO:text hello");
    const { system } = lastRequest() as { system: unknown };
    expect(JSON.stringify(system)).toContain(words);
    expect(JSON.stringify(system)).not.toContain("interactive");
  });
});

describe("MCP servers of a session", () => {
  test("are used with their secrets, which are shown nowhere", async () => {
    const secret = `secret-${randomUUID()}`;
    const http = await startHttpLab(secret);
    const mcp_servers = { files: stdioLab(secret), web: http.server };
    await using({ mcp_servers, allowed_tools: ["mcp__files__greet"] }, async (own) => {
      expect(spoken(await own.turn("SCENARIO:greet files"))).toContain(greeting(secret));
      const turnId = await own.say("SCENARIO:greet web");
      expect((await own.asked(turnId)).tool_name).toBe("mcp__web__greet");
      const events = await own.decide(turnId, { behavior: "allow" });
      expect(spoken(events)).toContain(greeting(secret));
      const mcp = (await own.session.snapshot()).state.mcp;
      expect(mcp).toMatchObject({ files: "connected", web: "connected" });
      const seen = JSON.stringify([await own.events(), own.session.info(), errors]);
      expect(seen).not.toContain(secret);
      for (const pid of await livingAgents()) {
        expect(await readFile(`/proc/${pid}/cmdline`, "utf8")).not.toContain(secret);
        expect(await readFile(`/proc/${pid}/environ`, "utf8")).not.toContain(secret);
      }
    });
    await http.close();
  });

  test("that cannot be reached are reported, without the secret, and the turn runs", async () => {
    const secret = `secret-${randomUUID()}`;
    const mcp_servers: CreateSession["mcp_servers"] = {
      gone: { type: "stdio", command: "/nowhere/server", env: { TOKEN: secret } },
      shut: { type: "http", url: "http://127.0.0.1:9/mcp", headers: { "X-Key": secret } },
    };
    await using({ mcp_servers }, async (own) => {
      expect(ending(await own.turn("SCENARIO:text fine")).isError).toBe(false);
      const { mcp } = (await own.session.snapshot()).state;
      expect(mcp["gone"]).toBe("failed");
      expect(mcp["shut"]).toBe("failed");
      expect(JSON.stringify([await own.events(), errors])).not.toContain(secret);
    });
  });
});

test("a session names the account that Claude is logged in with", async () => {
  await using({}, async (own) => {
    await own.turn("SCENARIO:text hello");
    expect(own.session.control.session.account).toEqual({ kind: "api_key" });
  });
});

test("a session reports on request what fills its context", async () => {
  await using({}, async (own) => {
    await own.turn("SCENARIO:text hello");
    await own.execute({ type: "read_context" });
    const { data } = await own.until("context_usage");
    expect(data.total_tokens).toBeGreaterThan(0);
    expect(data.max_tokens).toBe(1_000_000);
    expect(data.parts.map(({ label }) => label)).toContain("System tools");
    expect((await own.session.snapshot()).state.context).toEqual(data);
  });
});

test("an MCP server that is back is connected again, and one that is not is reported with the reason", async () => {
  const flag = join(place.cwd, "mcp-is-up");
  const command = `test -e ${flag} && exec ${process.execPath} ${labProgram}`;
  const server: McpServer = { type: "stdio", command: "/bin/sh", args: ["-c", command] };
  await using({ mcp_servers: { lab: server } }, async (own) => {
    await own.turn("SCENARIO:text hello");
    await own.until("mcp_status", ({ data }) => data.status === "failed");
    await own.execute({ type: "reconnect_mcp_server", server_name: "lab" });
    const { data } = await own.until("notice", ({ data: { text } }) => text.includes("lab"));
    expect(data).toMatchObject({ level: "warning" });
    await writeFile(flag, "");
    await own.execute({ type: "reconnect_mcp_server", server_name: "lab" });
    await own.until("mcp_status", ({ data: { status } }) => status === "connected");
    expect((await own.session.snapshot()).state.mcp).toEqual({ lab: "connected" });
  });
});

test("a hook of a session asks a person", async () => {
  await using({ hooks: ["PreToolUse"] }, async (own) => {
    const turnId = await own.say("SCENARIO:tool echo hooked");
    const { data } = await own.until("hook_request");
    expect(data.hook_event).toBe("PreToolUse");
    expect(own.session.control.session.capabilities.hooks).toBe(true);
    await own.execute({
      type: "hook_response",
      correlation_id: data.correlation_id,
      decision: { continue: true },
    });
    expect(ending(await own.ended(turnId)).isError).toBe(false);
  });
});

test("a turn ends when its model was called as often as the session allows", async () => {
  await using({ max_turns: 1 }, async (own) => {
    const events = await own.turn("SCENARIO:tool echo once");
    expect(ending(events)).toMatchObject({ results: ["error_max_turns"], isError: true });
    expect(ending(await own.turn("SCENARIO:text again")).isError).toBe(false);
  });
});
