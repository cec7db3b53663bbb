import { text, toolUse } from "@turnwire/conformance/anthropic-standin";
import { checkGrammar } from "@turnwire/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { playBudgetLife } from "../../../runtime/src/test-support/budget-life.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { openClaudeHost } from "../test-support/claude-session.ts";

const place = useClaudePlace({
  scenarios: {
    steps: ({ round }) =>
      round < 40 ? [toolUse("Bash", { command: `echo step ${round}` })] : [text("Done.")],
  },
});
let host: SessionHost;

beforeAll(() => {
  host = openClaudeHost(place);
});

afterAll(() => host.close());

test("Claude is stopped in the middle of a turn at its budget of tokens, and continues when that is raised", async () => {
  const message = "SCENARIO:steps";
  const short = "SCENARIO:text afterwards";
  const events = await playBudgetLife(host, { tokens: 350, message, short });
  expect(checkGrammar(events)).toEqual([]);
});

test("an unattended turn of Claude ends at its budget, with a result that says so", async () => {
  const own = await AgentSession.create(host, { budget: { tokens: 350 } });
  const events = await own.ended(await own.say("SCENARIO:steps", { is_unattended: true }));
  expect(events.findLast((event) => event.type === "result")?.data.subtype).toBe("budget_reached");
  expect(own.session.control.requests).toEqual({});
});

test("the cost of a turn of Claude counts when it ends", async () => {
  const own = await AgentSession.create(host, { budget: { cost_usd: 0.000_001 } });
  await own.turn("SCENARIO:text hello");
  const { data } = await own.until("budget_request");
  expect(data.reached).toEqual(["cost_usd"]);
  expect(data.used.cost_usd).toBeGreaterThan(0);
});
