import type { AgentMessage, Block } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { createOutline } from "./outline.ts";
import { requestRowIndex } from "./request-row.ts";

function agent(id: string, blocks: readonly Block[]): AgentMessage {
  return { role: "agent", id, seq: 2, ts: "", blocks, done: false };
}

function text(key: string): Block {
  return { type: "text", key, message_id: "m", text: "" };
}

function question(id: string): Block {
  const request = { correlation_id: id, questions: [] };
  return { type: "question", key: id, correlation_id: id, status: "open", request };
}

function subagent(key: string, blocks: readonly Block[]): Block {
  const counts = { tool_calls: 0, file_changes: 0, started_at: "" };
  return {
    type: "subagent",
    key,
    subagent_id: key,
    name: "",
    status: "running",
    blocks,
    ...counts,
  };
}

const messages = [
  agent("first", [text("a"), question("early"), text("b")]),
  agent("second", [text("c"), subagent("d", [text("e"), question("inner")])]),
];
const rows = createOutline(() => ({ type: "tool" }))(messages);

test.each([
  ["early", "early"],
  ["inner", "d"],
])("the request %s is shown by the row %s", (id, key) => {
  expect(rows[requestRowIndex({ rows, messages }, id) ?? -1]?.key).toBe(key);
});

test("a request that no message tells of has no row", () => {
  expect(requestRowIndex({ rows, messages }, "unknown")).toBeUndefined();
});
