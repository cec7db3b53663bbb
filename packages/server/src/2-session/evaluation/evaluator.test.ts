import { defaultPolicy } from "@turnwire/policy";
import type { JsonObject } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { EvaluationLimit, type Evaluator, WorkerEvaluator } from "./evaluator.ts";

const policy = defaultPolicy();
const facts = { cwd: "/tmp", roots: ["/tmp"] };

function judge(evaluator: Evaluator, session: string, command: string) {
  const call = { tool: "Bash", input: { command } };
  return evaluator.judge(session, { call, mode: "planner", policy, facts });
}

function check(evaluator: Evaluator, session: string, pattern: string, text: string) {
  const props_schema: JsonObject = { properties: { a: { pattern } } };
  const entry = { name: "card", description: "A card.", props_schema, surfaces: ["chat" as const] };
  return evaluator.checkProps(session, { entry, props: { a: text } });
}

const endless = ["^(a+)+$", `${"a".repeat(60)}!`] as const;

describe("an evaluation", () => {
  test("says what the policy says, with a rule where it asks", async () => {
    const evaluator = new WorkerEvaluator();
    const [asked, denied] = await Promise.all([
      judge(evaluator, "s", "make all"),
      judge(evaluator, "s", "git push"),
    ]);
    expect(asked).toMatchObject({ evaluation: { verdict: "ask" }, thing: { kind: "argv" } });
    expect(denied).toMatchObject({ evaluation: { verdict: "deny" }, thing: undefined });
    expect(await check(evaluator, "s", "^a+$", "b")).toMatch(/do not fit the schema of card/);
    expect(await check(evaluator, "s", "^a+$", "aa")).toBeUndefined();
  });

  test("that never ends keeps neither the server nor other sessions waiting, and is refused", async () => {
    const clock = new ManualClock();
    const evaluator = new WorkerEvaluator({ clock });
    const order: string[] = [];
    const hostile = [1, 2, 3].map(async () => {
      await expect(check(evaluator, "hostile", ...endless)).rejects.toBeInstanceOf(EvaluationLimit);
      order.push("hostile");
    });
    for (const session of ["one", "two"]) {
      expect((await judge(evaluator, session, "ls")).evaluation.verdict).toBe("allow");
      order.push(session);
    }
    for (const _ of hostile) {
      await expect.poll(() => clock.waiting).toBe(1);
      await clock.advance(5000);
    }
    await Promise.all(hostile);
    expect(order).toEqual(["one", "two", "hostile", "hostile", "hostile"]);
    expect((await judge(evaluator, "hostile", "ls")).evaluation.verdict).toBe("allow");
  });

  test("that fails is refused with the reason, and the next one is made", async () => {
    const evaluator = new WorkerEvaluator();
    const call = { tool: "Bash", input: { command: "ls" } };
    const unknown = evaluator.judge("s", { call, mode: "missing", policy, facts });
    await expect(unknown).rejects.toThrow(/no mode "missing"/);
    expect((await judge(evaluator, "s", "ls")).evaluation.verdict).toBe("allow");
  });
});
