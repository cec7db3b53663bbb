import type { RelayAgent } from "@turnwire/client/relay";
import { describe, expect, test } from "vitest";
import { agentFacts, agentTitle } from "./relay-words.ts";
import { isThisMachine } from "./watch-relays.ts";

const agent: RelayAgent = {
  agentId: "agent-1",
  connectionId: "ws://127.0.0.1:8765/ws",
  status: "connected",
  hasContent: true,
};

describe("the words for a relay's agent", () => {
  test.each([
    [{ cwd: "/srv/app", sessionId: "692f1c2a-1111-4222-8333-944445555666" }, "app"],
    [{ cwd: "C:\\code\\app\\", sessionId: "s1" }, "app"],
    [{ cwd: "/", sessionId: "692f1c2a-1111-4222-8333-944445555666" }, "Session 692f1c2a…"],
    [{ sessionId: "sess_abc123" }, "Session sess_abc123"],
    [{}, "Session"],
  ])("name it by its folder, else by its session: %j", (parts, title) => {
    expect(agentTitle({ ...agent, ...parts })).toBe(title);
  });

  test("add what tells two agents in one folder apart", () => {
    const parts = { cwd: "/srv/app", sessionId: "692f1c2a-1111-4222-8333", model: "sonnet" };
    expect(agentFacts({ ...agent, ...parts })).toBe("sonnet · 692f1c2a…");
    expect(agentFacts({ ...agent, sessionId: "s1" })).toBe("");
  });
});

test.each([
  ["127.0.0.1", true],
  ["localhost", true],
  ["[::1]", true],
  ["192.168.1.7", false],
  ["agents.example", false],
  ["localhost.example", false],
])("a page at %s is on this machine: %s", (hostname, expected) => {
  expect(isThisMachine(hostname)).toBe(expected);
});
