import { call, text } from "@turnwire/conformance/openai-standin";
import { checkGrammar } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { AgentSession } from "../../../runtime/src/test-support/agent-session.ts";
import { playBudgetLife } from "../../../runtime/src/test-support/budget-life.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace({
  standin: {
    scenarios: {
      steps: ({ round }) =>
        round < 40 ? [call("exec_command", { cmd: `echo step ${round}` })] : [text("Done.")],
    },
  },
});

test("Codex is stopped in the middle of a turn at its budget of tokens, and continues when that is raised", async () => {
  const host = place.openHost();
  onTestFinished(() => host.close());
  const message = "SCENARIO:steps";
  const short = "SCENARIO:text afterwards";
  const events = await playBudgetLife(host, { tokens: 350, message, short, mode: "auto" });
  expect(checkGrammar(events)).toEqual([]);
});

test("codex-exec finishes its turn, asks at its end, and refuses limits that it does not report", async () => {
  const runtime = place.createExecRuntime();
  const host = place.openHost({}, { runtimes: [runtime], defaultRuntime: runtime.name });
  onTestFinished(() => host.close());
  const own = await AgentSession.create(host, { budget: { tokens: 100 } });
  await own.turn("SCENARIO:text hello");
  expect((await own.until("budget_request")).data.reached).toEqual(["tokens"]);
  await expect(AgentSession.create(host, { budget: { cost_usd: 1 } })).rejects.toThrow(
    "this runtime does not report it",
  );
});
