import { expect, test } from "vitest";
import type { RequestAnswer } from "@turnwire/runtime";
import { PendingRequests } from "./pending-requests.ts";

const approval = {
  id: 0,
  method: "item/commandExecution/requestApproval",
  params: { threadId: "thread", turnId: "turn", itemId: "item" },
};

function allowing(correlation_id: string): RequestAnswer {
  return { type: "permission_response", correlation_id, behavior: "allow" };
}

test("a request is answered once, and by its own id also where another process counts from 0 again", () => {
  const pending = new PendingRequests();
  const first = allowing(pending.add(approval));
  expect(pending.take(first)).toMatchObject({ id: 0, result: { decision: "accept" } });
  expect(pending.take(first)).toBeUndefined();
  const second = allowing(pending.add(approval));
  expect(pending.take(first)).toBeUndefined();
  expect(pending.take(second)).toMatchObject({ id: 0, threadId: "thread" });
});

test("a request of which Codex needs no answer any more takes none", () => {
  const pending = new PendingRequests();
  const answer = allowing(pending.add(approval));
  pending.forget(approval.id);
  expect(pending.take(answer)).toBeUndefined();
});
