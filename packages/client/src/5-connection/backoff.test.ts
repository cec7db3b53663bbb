import { describe, expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

describe("backoff", () => {
  test("its ceiling doubles from 250 ms to 8 s and stays there", () => {
    const ceilings = [1, 2, 3, 4, 5, 6, 7, 50, 2000].map((attempt) =>
      Math.round(backoffMs({ attempt, random: 0.999999 })),
    );
    expect(ceilings).toEqual([249, 499, 999, 1999, 3999, 7999, 7999, 7999, 7999]);
  });

  test("jitter is full: the wait can be nothing", () => {
    expect(backoffMs({ attempt: 6, random: 0 })).toBe(0);
    expect(backoffMs({ attempt: 6, random: 0.5 })).toBe(4000);
  });

  test("it comes on top of what the server asked for", () => {
    expect(backoffMs({ attempt: 1, random: 0.5, atLeastMs: 3000 })).toBe(3125);
  });

  test("a wait that no timer can hold becomes the longest one that it can", () => {
    expect(backoffMs({ attempt: 1, random: 0, atLeastMs: 1e15 })).toBe(2_147_483_647);
  });
});
