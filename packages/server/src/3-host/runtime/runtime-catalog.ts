import type { RuntimeInfo } from "@turnwire/protocol";
import type { Runtime, RuntimeHistory } from "@turnwire/runtime";
import { chooseRuntime, describeRuntimes } from "./runtime-list.ts";
import { RuntimeProbes } from "./runtime-probe.ts";

export interface RuntimeCatalogOptions {
  readonly runtimes: readonly Runtime[];
  /** The configured default. */
  readonly defaultRuntime?: string;
  readonly onError: (error: unknown) => void;
}

/** The runtimes of a host: which there are, which is the default, and what their agents offer. */
export class RuntimeCatalog {
  readonly byName: ReadonlyMap<string, Runtime>;
  readonly #runtimes: readonly Runtime[];
  readonly #configured: string | undefined;
  readonly #probes: RuntimeProbes;

  constructor({ runtimes, defaultRuntime, onError }: RuntimeCatalogOptions) {
    this.byName = new Map(runtimes.map((runtime) => [runtime.name, runtime]));
    this.#runtimes = runtimes;
    this.#configured = defaultRuntime;
    this.#probes = new RuntimeProbes(runtimes, onError);
  }

  /** What agents' own programs keep of their conversations, by the name of the runtime. */
  get histories(): ReadonlyMap<string, RuntimeHistory> {
    return new Map(
      this.#runtimes.flatMap(({ name, history }) => (history ? [[name, history]] : [])),
    );
  }

  /** What is known of the runtimes now; checks what they log in with, but starts no agent. */
  describe(): Promise<RuntimeInfo[]> {
    return describeRuntimes({
      runtimes: this.#runtimes,
      configured: this.#configured,
      isProbing: (name) => this.#probes.isProbing(name),
    });
  }

  /** The runtime of sessions that name none. */
  async defaultName(): Promise<string> {
    return this.#configured ?? (await chooseRuntime(this.#runtimes)) ?? "";
  }

  /** Begins to ask the connected agents for their models and commands; `describe` has the answers later. */
  probe(): void {
    this.#probes.start();
  }

  async close(): Promise<void> {
    const closing = this.#runtimes.map(async (runtime) => runtime.close?.());
    await Promise.all([this.#probes.close(), ...closing]);
  }
}
