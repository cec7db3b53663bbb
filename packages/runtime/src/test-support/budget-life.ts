import type { SessionEvent } from "@turnwire/protocol";
import { expect } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, spoken } from "./agent-session.ts";

interface BudgetLifeOptions {
  /** Below what the agent needs for the message. */
  readonly tokens: number;
  /** Makes the agent work for so many calls of the model that the budget is reached in its middle. */
  readonly message: string;
  /** What the agent says once it is done with something short. */
  readonly short: string;
  readonly mode?: string;
}

/**
 * A real agent reaches its budget in the middle of a turn: it is stopped there, a person is asked,
 * what is sent meanwhile waits, and raised, it continues with the same conversation. Gives back the log.
 */
export async function playBudgetLife(
  host: SessionHost,
  { tokens, message, short, mode }: BudgetLifeOptions,
): Promise<SessionEvent[]> {
  const own = await AgentSession.create(host, {
    budget: { tokens },
    ...(mode !== undefined && { permission_mode: mode }),
  });
  const turnId = await own.say(message);
  const { data: asked } = await own.until("budget_request");
  const events = await own.ended(turnId);
  const result = events.findLast((event) => event.type === "result");
  expect(result?.data).toMatchObject({ subtype: "budget_reached", is_error: true });
  expect(asked.reached).toEqual(["tokens"]);
  expect(asked.used.tokens).toBeGreaterThanOrEqual(tokens);
  const steps = events.filter(({ type }) => type === "tool_result").length;
  expect(steps).toBeLessThan(40);
  const { messageId } = await own.execute({ type: "user_message", content: short });
  expect(own.session.control.queue).toMatchObject([{ message_id: messageId }]);
  await own.execute({
    type: "budget_response",
    correlation_id: asked.correlation_id,
    decision: "raise",
    budget: null,
  });
  const next = await own.until("turn_started", ({ data }) => data.message_id === messageId);
  expect(spoken(await own.ended(next.data.turn_id))).toBe("afterwards");
  const all = await own.events();
  expect(all.filter(({ type }) => type === "turn_started")).toHaveLength(3);
  return all;
}
