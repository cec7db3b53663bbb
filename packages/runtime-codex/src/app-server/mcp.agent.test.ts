import type { SessionEvent } from "@turnwire/protocol";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();
let host: SessionHost;
let own: AgentSession;

beforeAll(async () => {
  const server = fileURLToPath(new URL("../test-support/mcp-server.js", import.meta.url));
  const config = { "mcp_servers.lab.command": process.execPath, "mcp_servers.lab.args": [server] };
  host = place.openHost({ config });
  own = await AgentSession.create(host, { permission_mode: "auto" });
});

afterAll(() => host.close());

function toolErrors(events: readonly SessionEvent[]): boolean[] {
  return events.flatMap((event) => (event.type === "tool_result" ? [event.data.is_error] : []));
}

describe("a tool of an MCP server", () => {
  test("that only reads runs unasked", async () => {
    const events = await own.turn('SCENARIO:mcp lab/echo {"text":"hi"}');
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(spoken(events)).toContain("echo: hi");
  });

  test("that changes something runs when a person allows it, and not otherwise", async () => {
    const allowed = await own.say("SCENARIO:mcp lab/change");
    expect((await own.asked(allowed)).tool_name).toContain("lab");
    expect(toolErrors(await own.decide(allowed, { behavior: "allow" }))).toEqual([false]);
    const denied = await own.say("SCENARIO:mcp lab/change");
    expect(toolErrors(await own.decide(denied, { behavior: "deny" }))).toEqual([true]);
  });

  test("that needs a value asks a person for it", async () => {
    const turnId = await own.say("SCENARIO:mcp lab/pick");
    const events = await own.answerQuestion(turnId, { "Pick a colour": "red" });
    expect(spoken(events)).toContain("red");
  });
});
