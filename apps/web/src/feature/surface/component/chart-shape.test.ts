import { expect, test } from "vitest";
import { barsFrom, plot } from "./chart-shape.ts";

test("the highest value reaches the ceiling and zero stays on the floor", () => {
  const [low, high] = barsFrom([0, 50]);
  expect(low?.tip).toBe(plot.floor);
  expect(high?.tip).toBe(plot.ceiling);
});

test("values below zero hang from the line of zero", () => {
  const [below, above] = barsFrom([-10, 10]);
  expect(below?.top).toBe((above?.top ?? 0) + (above?.height ?? 0));
});

test.each([[[]], [[0]], [[0, 0]], [[-1]]])("nothing is out of the picture with %j", (data) => {
  for (const bar of barsFrom(data)) {
    expect(bar.top).toBeGreaterThanOrEqual(plot.ceiling);
    expect(bar.top).toBeLessThanOrEqual(plot.floor);
    expect(Number.isFinite(bar.height)).toBe(true);
  }
});
