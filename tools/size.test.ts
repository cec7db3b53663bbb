import { describe, expect, test } from "vitest";
import { budgets, measure } from "./size.ts";

describe.each(budgets)("$name in a browser's bundle", ({ name, limit }) => {
  test("stays under its limit, minified and gzipped, without zod", async () => {
    const { own, whole, foreign } = await measure(name);
    expect(own).toBeGreaterThan(0);
    expect(whole).toBeLessThan(limit);
    expect(foreign).not.toContain("zod");
  });
});
