import { expect, test } from "vitest";
import {
  changeSteps,
  editedSteps,
  isSamePlan,
  planEditFrom,
  type StepChange,
} from "./plan-steps.ts";

const steps = editedSteps(["a", "b", "c"]);
const after = (change: StepChange) => changeSteps(steps, change).map(({ text }) => text);

test("a step is written, removed, added and moved without touching the others", () => {
  expect(after({ type: "write", key: 1, text: "B" })).toEqual(["a", "B", "c"]);
  expect(after({ type: "remove", key: 0 })).toEqual(["b", "c"]);
  expect(after({ type: "add" })).toEqual(["a", "b", "c", ""]);
  expect(after({ type: "move", key: 2, by: -1 })).toEqual(["a", "c", "b"]);
});

test("a step at the edge stays there", () => {
  expect(changeSteps(steps, { type: "move", key: 0, by: -1 })).toBe(steps);
  expect(changeSteps(steps, { type: "move", key: 2, by: 1 })).toBe(steps);
});

test("a new step never takes the key of another", () => {
  const grown = changeSteps(changeSteps(steps, { type: "remove", key: 0 }), { type: "add" });
  expect(new Set(grown.map(({ key }) => key)).size).toBe(3);
});

test("an edit that was stored comes back, and nothing else passes for one", () => {
  const edit = { base: ["a", "b"], steps: ["b", "a"] };
  expect(planEditFrom(edit)).toEqual(edit);
  for (const value of [undefined, null, [], { base: ["a"] }, { base: "a", steps: [1] }]) {
    expect(planEditFrom(value)).toBeUndefined();
  }
});

test("two plans are the same with the same steps in the same order", () => {
  expect(isSamePlan(["a", "b"], ["a", "b"])).toBe(true);
  expect(isSamePlan(["a", "b"], ["b", "a"])).toBe(false);
  expect(isSamePlan(["a"], ["a", "b"])).toBe(false);
});
