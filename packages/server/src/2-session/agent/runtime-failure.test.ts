import { expect, test } from "vitest";
import { RuntimeError } from "@turnwire/runtime";
import { lostCauseFrom, refusalFrom } from "./runtime-failure.ts";

const missing = new RuntimeError("conversation_missing", "The conversation is on another machine.");

test("a conversation that this machine does not have ends the turn as workspace_unavailable, and sending it again does not help", () => {
  expect(lostCauseFrom(missing)).toEqual({
    code: "workspace_unavailable",
    message: "The conversation is on another machine.",
    isFinal: true,
  });
});

test("a command that needs such a conversation is refused with the same code", () => {
  const { error } = refusalFrom(missing);
  expect(error).toMatchObject({ code: "workspace_unavailable", retryable: false });
});

test("any other failure of an agent may be gone at the next try, except what the agent can never do", () => {
  const stalled = new RuntimeError("stalled", "It hangs.");
  expect(lostCauseFrom(stalled)).toMatchObject({ code: "agent_failed", isFinal: false });
  expect(refusalFrom(stalled).error.code).toBe("runtime_unavailable");
  const wrong = new RuntimeError("invalid_input", "Too large.");
  expect(lostCauseFrom(wrong)).toMatchObject({ code: "agent_failed", isFinal: true });
  const busy = new RuntimeError("busy", "All of them are busy.");
  expect(refusalFrom(busy).error.code).toBe("overloaded");
});
