import type { Runtime } from "@turnwire/runtime";
import { describe } from "vitest";
import { createBench, type RuntimeContractOptions } from "./runtime-contract/bench.ts";
import { testGate } from "./runtime-contract/gate.ts";
import { testInterrupts } from "./runtime-contract/interrupt.ts";
import { testLife } from "./runtime-contract/life.ts";
import { testRequests } from "./runtime-contract/request.ts";
import { testTurns } from "./runtime-contract/turn.ts";

export type { RuntimeContractOptions, RuntimePrompts } from "./runtime-contract/bench.ts";

/** The promises of the Runtime port, for any runtime. Call it in a test file of its own. */
export function runtimeContract(
  name: string,
  create: () => Runtime | Promise<Runtime>,
  options: RuntimeContractOptions,
): void {
  describe(`the runtime ${name}`, () => {
    const bench = createBench(create, options);
    const shared = bench.shareRun();
    testTurns(bench, shared);
    testRequests(bench, shared);
    testGate(bench, shared);
    testInterrupts(bench, shared);
    testLife(bench, shared);
  });
}
