import type { AgentMessage, Block, Message } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { awayFrom, awayText } from "./away.ts";

function agent(seq: number, facts: Partial<AgentMessage> = {}): AgentMessage {
  return {
    role: "agent",
    id: `m${seq}`,
    seq,
    ts: "2026-11-15T12:00:00.000Z",
    blocks: [],
    done: true,
    ...facts,
  };
}

function permission(status: "open" | "answered" | "expired"): Block {
  return {
    type: "permission",
    key: status,
    correlation_id: status,
    status,
    request: { correlation_id: status, tool_name: "Bash", tool_input: {} },
  };
}

const result = { turn_id: "t", subtype: "success", is_error: false };

test("what came after the last seen event is summed up in words", () => {
  const user: Message = {
    role: "user",
    id: "u",
    seq: 12,
    ts: "2026-11-15T12:00:00.000Z",
    content: [],
    delivery: "turn",
  };
  const messages = [
    agent(3, { result, blocks: [permission("answered")] }),
    user,
    agent(14, { blocks: [permission("answered"), permission("expired")] }),
    agent(20, { result: { ...result, is_error: true } }),
  ];
  const away = awayFrom(messages, 10);
  expect(away && awayText(away)).toBe(
    "3 new messages, 1 turn done, 1 of them failed, 1 request answered, 1 request ended without an answer",
  );
});

test("a turn that still runs is not news, nor is what was seen", () => {
  expect(awayFrom([agent(14, { done: false, blocks: [permission("open")] })], 10)).toBeUndefined();
  expect(awayFrom([agent(3, { result })], 10)).toBeUndefined();
});
