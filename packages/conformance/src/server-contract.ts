import { describe, expect, test } from "vitest";
import { serverChecks } from "./server-checks.ts";
import type { ServerSubject } from "./server-contract/wire.ts";

export type { ServerPrompts, ServerSubject } from "./server-contract/wire.ts";

/** The tests that every server must pass; call it at the top of a test file. */
export function serverContract(name: string, subject: () => ServerSubject): void {
  describe(`${name} keeps the server contract`, () => {
    test.each(serverChecks)("$name", async ({ run }) => {
      await expect(run(subject())).resolves.toBeUndefined();
    });
  });
}
