import { expect, test } from "vitest";
import { placesInSight, withFirst } from "./place-layout.ts";

test("a wide pane shows all places", () => {
  expect(placesInSight(["panel", "canvas", "sidebar"], 1400)).toEqual([
    "panel",
    "canvas",
    "sidebar",
  ]);
});

test("a narrower one shows the panel, and beside the conversation what changed last", () => {
  expect(placesInSight(["sidebar", "panel", "canvas"], 900)).toEqual(["sidebar", "panel"]);
  expect(placesInSight(["panel", "canvas", "sidebar"], 900)).toEqual(["panel", "canvas"]);
});

test("a phone shows what changed last", () => {
  expect(placesInSight(["panel", "canvas", "sidebar"], 390)).toEqual(["panel"]);
  expect(placesInSight([], 390)).toEqual([]);
});

test("the place that changed last comes first", () => {
  expect(withFirst(["canvas", "sidebar", "panel"], "panel")).toEqual([
    "panel",
    "canvas",
    "sidebar",
  ]);
  const order = ["canvas", "sidebar"] as const;
  expect(withFirst(order, "canvas")).toBe(order);
});
