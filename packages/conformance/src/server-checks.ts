import type { Check } from "./check.ts";
import { commandChecks } from "./server-contract/command-check.ts";
import { sessionChecks } from "./server-contract/session-check.ts";
import { streamChecks } from "./server-contract/stream-check.ts";
import type { ServerSubject } from "./server-contract/wire.ts";

/** What every server of PROTOCOL.md keeps, at whatever address; needs no test runner. */
export const serverChecks: readonly Check<ServerSubject>[] = [
  ...sessionChecks,
  ...streamChecks,
  ...commandChecks,
];
