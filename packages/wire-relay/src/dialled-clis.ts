import { detach } from "@turnwire/base";
import { type WireError, type Principal, canReach } from "@turnwire/protocol";
import type { AdoptedCli } from "@turnwire/runtime";
import { status } from "./status.ts";

/** One who watches the agents that dial in, as far as a principal reaches them. */
export interface CliListener {
  readonly principal: Principal;
  onStatus(line: string): void;
  onError(error: WireError): void;
  onSession(sessionId: string): void;
}

interface DialledCli {
  readonly cli: AdoptedCli;
  readonly principal: Principal;
}

/** The CLIs that are connected right now, and the sessions that any of them has worked in. */
export class DialledClis {
  readonly #clis = new Set<DialledCli>();
  readonly #listeners = new Set<CliListener>();
  /** By the id of the session, whose CLI it was; the newest last. */
  readonly #carried = new Map<string, Principal>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(cli: AdoptedCli, principal: Principal): void {
    const dialled: DialledCli = { cli, principal };
    this.#clis.add(dialled);
    this.#publish(principal, (listener) => listener.onStatus(status.connected));
    const stop = cli.onSession((sessionId) => {
      this.#carried.delete(sessionId);
      this.#carried.set(sessionId, principal);
      this.#publish(principal, (listener) => listener.onSession(sessionId));
    });
    const ended = cli.ended.finally(() => {
      stop();
      this.#clis.delete(dialled);
      this.#publish(principal, (listener) => {
        if (!this.hasAny(listener.principal)) listener.onStatus(status.disconnected);
      });
    });
    detach(ended, this.#onError);
  }

  subscribe(listener: CliListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports something that went wrong with a CLI of this principal. */
  report(principal: Principal, error: WireError): void {
    this.#publish(principal, (listener) => listener.onError(error));
  }

  hasAny(principal: Principal): boolean {
    return this.#reachedBy(principal).length > 0;
  }

  /** The sessions of the CLIs that are connected. */
  sessionIds(principal: Principal): string[] {
    return this.#reachedBy(principal).flatMap(({ cli }) => cli.sessionId ?? []);
  }

  /** The sessions that CLIs have worked in since the relay was opened, oldest first. */
  carriedIds(principal: Principal): string[] {
    return [...this.#carried].flatMap(([id, owner]) => (canReach(principal, owner.id) ? id : []));
  }

  hasCarried(sessionId: string): boolean {
    return this.#carried.has(sessionId);
  }

  /** The one that waits longest for its first message. */
  waiting(principal: Principal): AdoptedCli | undefined {
    return this.#reachedBy(principal).find(({ cli }) => cli.sessionId === undefined)?.cli;
  }

  #reachedBy(principal: Principal): DialledCli[] {
    return [...this.#clis].filter((dialled) => canReach(principal, dialled.principal.id));
  }

  #publish(owner: Principal, tell: (listener: CliListener) => void): void {
    for (const listener of this.#listeners) {
      if (canReach(listener.principal, owner.id)) tell(listener);
    }
  }
}
