import type { Check } from "./check.ts";
import { commandChecks } from "./server-contract/command-check.ts";
import { sessionChecks } from "./server-contract/session-check.ts";
import { streamChecks } from "./server-contract/stream-check.ts";
import type { ServerSubject } from "./server-contract/wire.ts";

/** Promises of every server of PROTOCOL.md, at any address; needs no test runner. */
export const serverChecks: readonly Check<ServerSubject>[] = [
  ...sessionChecks,
  ...streamChecks,
  ...commandChecks,
];
