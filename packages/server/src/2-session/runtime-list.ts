import type { RuntimeInfo } from "@turnwire/protocol";
import type { Runtime } from "../1-runtime/runtime.ts";

/** Every runtime with what it can do, and whether it can be used now. */
export function describeRuntimes(
  runtimes: readonly Runtime[],
  defaultRuntime: string,
): Promise<RuntimeInfo[]> {
  return Promise.all(
    runtimes.map(async (runtime) => {
      const check = await runtime.check();
      return {
        name: runtime.name,
        label: runtime.label,
        is_default: runtime.name === defaultRuntime,
        is_available: check.isAvailable,
        ...(check.problem !== undefined && { problem: check.problem }),
        capabilities: runtime.capabilities,
      };
    }),
  );
}
