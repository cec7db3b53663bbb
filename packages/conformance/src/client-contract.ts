import { describe, expect, test } from "vitest";
import { clientChecks, type ClientSubject } from "./client-checks.ts";

export type { ClientSubject } from "./client-checks.ts";
export type { ClientCall, ClientCommand } from "./client-contract/client-program.ts";
export { outcomeOf, type ClientOutcome } from "./client-contract/outcome.ts";

/** The tests that every client program must pass; call it at the top of a test file. */
export function clientContract(name: string, subject: () => ClientSubject): void {
  describe(`${name} keeps the client contract`, () => {
    test.each(clientChecks)("$name", async ({ run }) => {
      await expect(run(subject())).resolves.toBeUndefined();
    });
  });
}
