import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { saysDone } from "./last-line.ts";
import { type Move, nextMove, type StepEnd, type StepOutcome } from "./next-move.ts";
import type { RunPlan } from "./plan.ts";

const plan: RunPlan = {
  task: "Mend it",
  until: undefined,
  review: undefined,
  isFresh: false,
  isStructured: false,
  maxIterations: 3,
};
const review = { runtime: "other", model: undefined, policyMode: undefined };

function work(iteration: number, answer: string, outcome: StepOutcome = "ok"): StepEnd {
  return { type: "work", iteration, outcome, answer };
}

function reviewed(iteration: number, answer: string, outcome: StepOutcome = "ok"): StepEnd {
  return { type: "review", iteration, outcome, answer };
}

describe("the next move", () => {
  test("is to work, at first", () => {
    expect(nextMove(plan, [])).toEqual({ type: "work", iteration: 1 });
  });

  test("is the end after one turn where nothing else is asked for", () => {
    expect(nextMove(plan, [work(1, "Anything")])).toEqual({ type: "end", outcome: "done" });
  });

  test("is to work on until the signal comes, or the iterations are used up", () => {
    const until = { ...plan, until: "DONE" };
    expect(nextMove(until, [work(1, "Half")])).toEqual({ type: "work", iteration: 2 });
    expect(nextMove(until, [work(2, "All\nDONE")])).toEqual({ type: "end", outcome: "done" });
    expect(nextMove(until, [work(3, "Half")])).toEqual({ type: "end", outcome: "not_done" });
  });

  test("is a review when the work is done, and work again when that does not pass", () => {
    const both = { ...plan, until: "DONE", review };
    expect(nextMove(both, [work(1, "Half")])).toEqual({ type: "work", iteration: 2 });
    expect(nextMove(both, [work(2, "DONE")])).toEqual({ type: "review", iteration: 2 });
    expect(nextMove(both, [reviewed(2, "No.\nFAIL")])).toEqual({ type: "work", iteration: 3 });
    expect(nextMove(both, [reviewed(2, "Who knows")])).toEqual({ type: "work", iteration: 3 });
    expect(nextMove(both, [reviewed(3, "FAIL")])).toEqual({ type: "end", outcome: "not_done" });
    expect(nextMove(both, [reviewed(3, "PASS")])).toEqual({ type: "end", outcome: "done" });
    expect(nextMove({ ...plan, review }, [work(1, "x")])).toEqual({ type: "review", iteration: 1 });
  });

  test.each(["failed", "stopped", "limit_reached"] as const)(
    "is the end after a step that %s, whatever was said in it",
    (outcome) => {
      const until = { ...plan, until: "DONE", review };
      expect(nextMove(until, [work(1, "DONE", outcome)])).toEqual({ type: "end", outcome });
      expect(nextMove(until, [reviewed(1, "PASS", outcome)])).toEqual({ type: "end", outcome });
    },
  );
});

describe("a run of any answers", () => {
  const answer = fc.constantFrom("Half", "DONE", "PASS", "FAIL", "PASS\nFAIL", "");

  test("ends within its iterations, and as done only where the signal and the verdict came", () => {
    fc.assert(
      fc.property(
        fc.record({
          until: fc.option(fc.constant("DONE"), { nil: undefined }),
          review: fc.option(fc.constant(review), { nil: undefined }),
          isFresh: fc.boolean(),
          maxIterations: fc.integer({ min: 1, max: 6 }),
        }),
        fc.infiniteStream(answer),
        (chosen, answers) => {
          const whole = { ...plan, ...chosen };
          const steps: StepEnd[] = [];
          let move: Move = nextMove(whole, steps);
          while (move.type !== "end") {
            const said = answers.next().value ?? "";
            steps.push({ ...move, outcome: "ok", answer: said });
            expect(move.iteration).toBeLessThanOrEqual(whole.maxIterations);
            expect(steps.length).toBeLessThanOrEqual(2 * whole.maxIterations);
            move = nextMove(whole, steps);
          }
          const isDone = move.outcome === "done";
          const hasSignal = saysDone(
            steps.findLast(({ type }) => type === "work")?.answer ?? "",
            "DONE",
          );
          const last = steps.at(-1);
          const hasPassed = last?.type === "review" && last.answer === "PASS";
          expect(isDone).toBe((!whole.until || hasSignal) && (!whole.review || hasPassed));
        },
      ),
    );
  });
});
