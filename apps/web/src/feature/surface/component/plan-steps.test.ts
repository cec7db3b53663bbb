import { expect, test } from "vitest";
import { changeSteps, editedSteps, type StepChange } from "./plan-steps.ts";

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
