import { describe, expect, test } from "vitest";
import { dialectChecks, type DialectSubject } from "./dialect-checks.ts";

export type { DialectInput, DialectSubject } from "./dialect-checks.ts";

/** The tests that every dialect must pass; call it at the top of a test file. */
export function dialectContract(name: string, subject: DialectSubject): void {
  describe(`${name} keeps the dialect contract`, () => {
    test.each(dialectChecks)("$name", async ({ run }) => {
      await expect(run(subject)).resolves.toBeUndefined();
    });
  });
}
