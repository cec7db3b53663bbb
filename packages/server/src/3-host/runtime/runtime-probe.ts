import { detach } from "@turnwire/base";
import type { Runtime } from "@turnwire/runtime";

/** Asks the agents what they offer, in the background and each one at a time. */
export class RuntimeProbes {
  readonly #runtimes: readonly Runtime[];
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(runtimes: readonly Runtime[], onError: (error: unknown) => void) {
    this.#runtimes = runtimes;
    this.#onError = onError;
  }

  isProbing(name: string): boolean {
    return this.#running.has(name);
  }

  /** Begins to ask every agent that is connected, unless it is being asked. */
  start(): void {
    const { signal } = this.#closing;
    if (signal.aborted) return;
    for (const runtime of this.#runtimes) {
      const { name } = runtime;
      if (!runtime.probe || this.#running.has(name)) continue;
      const probing = probe(runtime, signal).finally(() => this.#running.delete(name));
      this.#running.set(name, probing);
      detach(probing, (error) => {
        if (!signal.aborted) this.#onError(error);
      });
    }
  }

  /** Stops asking; resolves when nothing is left of it. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running.values());
  }
}

async function probe(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { isAvailable } = await runtime.check();
  if (isAvailable && !signal.aborted) await runtime.probe?.(signal);
}
