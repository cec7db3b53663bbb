import { type Store, StoreError } from "@turnwire/log";
import { Gate } from "./gate.ts";

/** fail: nothing was written; fail_after: written, but the answer is lost; delay: comes later; steal: somebody else has the lease. */
export type FaultKind = "fail" | "fail_after" | "delay" | "steal";

/** The calls of a store that can go wrong. */
export const faultyCalls = [
  "append",
  "createSession",
  "acquireLease",
  "renewHolder",
  "releaseLease",
  "deleteSession",
  "read",
  "findInput",
] as const;
export type FaultyCall = (typeof faultyCalls)[number];

export interface StoreFault {
  readonly call: FaultyCall;
  readonly kind: FaultKind;
  /** How many calls of this kind go well before it. */
  readonly skip: number;
}

interface StoreCall {
  readonly fault: FaultKind | undefined;
  readonly sessionId: string;
  readonly go: () => Promise<unknown>;
}

/** What an injected fault rejects with; nothing else may explain itself by it. */
export class InjectedFault extends StoreError {
  constructor(what: string) {
    super("unavailable", `injected: ${what}`);
    this.name = "InjectedFault";
  }
}

/** One server process's way to the store: the disk behind it stays when the process is gone. */
export class FaultyStore {
  readonly store: Store;
  /** How many calls are on their way to the disk and not held back here. */
  busy = 0;
  injected = 0;
  /** An answer was lost: what was refused may have been written. */
  isAmbiguous = false;
  readonly #disk: Store;
  readonly #holder: string;
  readonly #gate = new Gate();
  readonly #faults: { call: FaultyCall; kind: FaultKind; skip: number }[] = [];
  readonly #appending = new Map<string, Promise<unknown>>();
  #isCrashed = false;

  constructor(disk: Store, holder: string) {
    this.#disk = disk;
    this.#holder = holder;
    this.#gate.slowDown();
    this.store = this.#view();
  }

  inject(fault: StoreFault): void {
    this.#faults.push({ ...fault });
  }

  /** Lets pass what is delayed. */
  release(): void {
    this.#gate.release();
  }

  /** No more faults. */
  calm(): void {
    this.#faults.length = 0;
    this.#gate.open();
  }

  /** The process is gone: no call of it reaches the disk or comes back any more. */
  crash(): void {
    this.#isCrashed = true;
    this.#gate.open();
  }

  #view(): Store {
    return new Proxy(this.#disk, {
      get: (disk, name) => {
        const member: unknown = Reflect.get(disk, name);
        if (typeof member !== "function") return member;
        if (name === "watch") return member.bind(disk);
        return (...parameters: unknown[]) => {
          const go = async (): Promise<unknown> => Reflect.apply(member, disk, parameters);
          const sessionId = sessionIdOf(parameters[0]);
          const call = faultyCalls.find((faulty) => faulty === name);
          const fault = call && this.#takeFault(call);
          return name === "append"
            ? this.#append({ fault, sessionId, go })
            : this.#perform({ fault, sessionId, go });
        };
      },
    });
  }

  /** Appends to one session are applied in the order of the calls, also behind a delayed one. */
  #append(call: StoreCall): Promise<unknown> {
    const { sessionId } = call;
    const earlier = this.#appending.get(sessionId);
    const appending = earlier ? earlier.then(() => this.#perform(call)) : this.#perform(call);
    const settled = appending
      .catch(() => undefined)
      .finally(() => {
        if (this.#appending.get(sessionId) === settled) this.#appending.delete(sessionId);
      });
    this.#appending.set(sessionId, settled);
    return appending;
  }

  async #perform({ fault, sessionId, go }: StoreCall): Promise<unknown> {
    if (fault === "delay") await this.#gate.pass();
    if (this.#isCrashed) return new Promise(() => undefined);
    if (fault === "steal") await this.#steal(sessionId);
    if (fault === "fail") throw new InjectedFault("nothing was written");
    this.busy += 1;
    try {
      const value = await go();
      if (fault !== "fail_after") return value;
      this.isAmbiguous = true;
      throw new InjectedFault("written, but the answer was lost");
    } finally {
      this.busy -= 1;
    }
  }

  async #steal(sessionId: string): Promise<void> {
    if (sessionId === this.#holder) return this.#disk.removeHolder(this.#holder);
    // A newer generation of the same holder fences as one of another host does.
    await this.#disk.acquireLease({ sessionId, holder: this.#holder, ttlMs: 30_000 });
  }

  #takeFault(call: FaultyCall): FaultKind | undefined {
    const index = this.#faults.findIndex((fault) => fault.call === call);
    const fault = this.#faults[index];
    if (!fault) return undefined;
    if (fault.skip > 0) {
      fault.skip -= 1;
      return undefined;
    }
    this.#faults.splice(index, 1);
    this.injected += 1;
    return fault.kind;
  }
}

/** Most calls of a store name their session first, by its id or in an object; renewHolder names the holder. */
function sessionIdOf(parameter: unknown): string {
  if (typeof parameter === "string") return parameter;
  if (typeof parameter !== "object" || parameter === null) return "";
  const id: unknown = Reflect.get(parameter, "sessionId");
  return typeof id === "string" ? id : "";
}
