import { Replay } from "../../../runtime/src/test-support/replay.ts";
import { codexNormalizer } from "../normalize/normalize.ts";

export { typesOf } from "../../../runtime/src/test-support/replay.ts";

/** The thread that is the session. */
export const root = "root";
/** A thread with a turn that has begun. */
export const begin = [
  { method: "turnwire/thread", params: { thread_id: root, model: "m" } },
  { method: "turnwire/turn_sent", params: { turn_id: "turn-1" } },
  started(root, "n1"),
];

export function started(threadId: string, id: string): object {
  return { method: "turn/started", params: { threadId, turn: { id, status: "inProgress" } } };
}

export function completed(threadId: string, id: string, status = "completed"): object {
  return { method: "turn/completed", params: { threadId, turn: { id, status } } };
}

export function item(
  stage: "started" | "completed",
  more: object,
  threadId = root,
  turnId = "n1",
): object {
  return { method: `item/${stage}`, params: { threadId, turnId, item: more } };
}

export function delta(itemId: string, text: string, threadId = root): object {
  const params = { threadId, turnId: "n1", itemId, delta: text };
  return { method: "item/agentMessage/delta", params };
}

export const command = {
  type: "commandExecution",
  id: "call",
  command: "ls",
  status: "inProgress",
};

/** What the normalizer makes of these messages. */
export function play(...messages: object[]): Replay<unknown> {
  return Replay.of(codexNormalizer, messages);
}

/** The item that reports a new sub-agent. */
export const spawn = {
  type: "subAgentActivity",
  id: "spawn",
  kind: "started",
  agentThreadId: "child",
  agentPath: "/root/helper",
};
