import { detach } from "@turnwire/base";
import type { Runtime } from "../1-runtime/runtime.ts";

/** Asks the agents what they offer, in the background and each one at a time. */
export class RuntimeProbes {
  readonly #runtimes: readonly Runtime[];
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();

  constructor(runtimes: readonly Runtime[], onError: (error: unknown) => void) {
    this.#runtimes = runtimes;
    this.#onError = onError;
  }

  isProbing(name: string): boolean {
    return this.#running.has(name);
  }

  /** Begins to ask every agent that is connected, unless it is being asked. */
  start(): void {
    for (const runtime of this.#runtimes) {
      const { name } = runtime;
      if (!runtime.probe || this.#running.has(name)) continue;
      const probing = probe(runtime).finally(() => this.#running.delete(name));
      this.#running.set(name, probing);
      detach(probing, this.#onError);
    }
  }

  /** Resolves when nothing is being asked any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

async function probe(runtime: Runtime): Promise<void> {
  const { isAvailable } = await runtime.check();
  if (isAvailable) await runtime.probe?.();
}
