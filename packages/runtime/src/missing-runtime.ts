import { noCapabilities } from "@turnwire/protocol";
import type { Runtime } from "./runtime.ts";
import { RuntimeError } from "./process/runtime-error.ts";

/** Stands for a runtime that stored sessions name but this server does not have: they can be read, not run. */
export function missingRuntime(name: string): Runtime {
  const problem = `This server has no runtime ${name}.`;
  return {
    name,
    label: name,
    capabilities: noCapabilities,
    normalizer: { initial: () => undefined, step: (state) => [state, []], end: () => [] },
    check: async () => ({ isAvailable: false, problem }),
    createRun: async () => {
      throw new RuntimeError("not_available", problem);
    },
  };
}
