import { describe, expect, test } from "vitest";
import { begin, command, item, play, root } from "../test-support/spoken.ts";

describe("a request that Codex takes back", () => {
  const ask = (id: number): object => ({
    method: "item/commandExecution/requestApproval",
    id,
    correlation_id: `ask-${id}`,
    params: { threadId: root, turnId: "n1", itemId: "call", command: "ls" },
  });

  test("leaves the others open", () => {
    const replay = play(...begin, item("started", command), ask(0), ask(1));
    const params = { threadId: root, requestId: 1 };
    const events = replay.take({ method: "serverRequest/resolved", params });
    expect(events).toMatchObject([{ data: { correlation_id: "ask-1", outcome: "cancelled" } }]);
  });
});
