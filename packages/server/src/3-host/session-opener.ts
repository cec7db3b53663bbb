import type { Lease, SessionRecord, Store } from "@turnwire/log";
import { missingRuntime, type Runtime } from "@turnwire/runtime";
import type { Beginning } from "./creation/session-creation.ts";
import { beginSession, type LoadOptions, loadSession } from "./creation/session-loader.ts";
import type { LoadedSession } from "../2-session/session-settings.ts";

export interface SessionOpenerOptions extends Omit<LoadOptions, "runtime"> {
  /** One per server process and boot. */
  readonly holder: string;
  readonly leaseTtlMs: number;
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly onError: (error: unknown) => void;
}

/** Takes sessions out of the store with the right to act for them, and puts new ones into it. */
export class SessionOpener {
  readonly #options: SessionOpenerOptions;
  readonly #store: Store;

  constructor(options: SessionOpenerOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Undefined when there is no such session, or another holder has it. */
  async open(sessionId: string): Promise<LoadedSession | undefined> {
    const lease = await this.#lease(sessionId);
    if (!lease) return undefined;
    const loaded = await this.#loadLeased(lease);
    if (!loaded.control.session.is_closed) return loaded;
    // The process that deleted it died before the store had removed it.
    await this.#store.deleteSession(sessionId, lease.generation);
    return undefined;
  }

  /** Stores a session with its first events; of one whose past cannot be copied nothing stays. */
  async create(record: SessionRecord, past?: Beginning["past"]): Promise<LoadedSession> {
    const { holder, leaseTtlMs, onError } = this.#options;
    const made = { ...record, ...(past && { isPartial: true }) };
    const lease = await this.#store.createSession(made, holder, leaseTtlMs);
    try {
      return await beginSession(lease, this.#loadOptions(record), await past?.(lease));
    } catch (error) {
      const removal = this.#store.deleteSession(record.sessionId, lease.generation);
      await removal.catch(onError);
      throw error;
    }
  }

  /** Removes what a process left that died while it copied a session's first events. */
  async discard(sessionId: string): Promise<void> {
    const lease = await this.#lease(sessionId);
    if (lease) await this.#store.deleteSession(sessionId, lease.generation);
  }

  /** A lease on what cannot be loaded would only be in the way. */
  async #loadLeased(lease: Lease): Promise<LoadedSession> {
    try {
      return await loadSession(lease, this.#loadOptions(lease.record));
    } catch (error) {
      const { onError } = this.#options;
      await this.#store.releaseLease(lease.record.sessionId, lease.generation).catch(onError);
      throw error;
    }
  }

  #lease(sessionId: string): Promise<Lease | undefined> {
    const { holder, leaseTtlMs: ttlMs } = this.#options;
    return this.#store.acquireLease({ sessionId, holder, ttlMs });
  }

  #loadOptions({ runtime: name }: SessionRecord): LoadOptions {
    const { runtimes, ...options } = this.#options;
    return { ...options, runtime: runtimes.get(name) ?? missingRuntime(name) };
  }
}
