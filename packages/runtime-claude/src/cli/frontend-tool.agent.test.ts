import { expect, onTestFinished, test } from "vitest";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { testFrontendTools } from "../test-support/frontend-tool-life.ts";
import { use } from "../test-support/use-scenario.ts";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { createCliRuntime, openCliHost } from "./test-support/cli-host.ts";

const place = useClaudePlace({ scenarios: { use } });

testFrontendTools({
  place,
  createRuntime: () => createCliRuntime(place),
  openHost: () => openCliHost(place),
});

test("our tools stay where the session brings MCP servers, also one that takes our name", async () => {
  const host = openCliHost(place);
  onTestFinished(() => host.close());
  const missing = { type: "stdio", command: "/nowhere/mcp-server" } as const;
  const session = await AgentSession.create(host, {
    mcp_servers: { other: missing, turnwire: missing },
  });
  const card = JSON.stringify({ component_id: "c1", name: "Card", surface: "chat", props: {} });
  const events = await session.turn(`SCENARIO:use render_component ${card}`);
  expect(spoken(events)).toBe('Result: {"component_id":"c1"}');
});
