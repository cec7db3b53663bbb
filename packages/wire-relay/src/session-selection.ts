import { detach } from "@turnwire/base";
import {
  limits,
  type SessionInfo,
  type WireError,
  type Principal,
  canReach,
} from "@turnwire/protocol";
import type { SessionChange, WireHost } from "@turnwire/wire";
import type { DialledClis } from "./dialled-clis.ts";
import { findSession } from "./find-session.ts";
import type { RelayFrames } from "./relay-frames.ts";

export interface SessionSelectionOptions {
  readonly host: WireHost;
  readonly clis: Pick<DialledClis, "carriedIds" | "hasCarried">;
  readonly frames: RelayFrames;
  readonly principal: Principal;
  /** The sessions that the front end has named; none: every one that it may see and that is live. */
  readonly named: readonly string[];
  readonly onProblem: (error: WireError) => void;
  readonly onError: (error: unknown) => void;
}

/** Decides which sessions a front end follows, from when it connects to when it leaves. */
export class SessionSelection {
  readonly #options: SessionSelectionOptions;
  readonly #opening = new Set<string>();
  #leaveFeed: () => void = () => undefined;

  constructor(options: SessionSelectionOptions) {
    this.#options = options;
  }

  /** Changes are looked at from now on, so that none falls between the list and them. */
  async start(): Promise<void> {
    const { host } = this.#options;
    this.#leaveFeed = host.changes.subscribe({
      onChange: (change) => this.#take(change),
      onMissed: () => detach(this.#followAll(), this.#options.onError),
      onEnd: () => undefined,
    });
    await this.#followAll();
  }

  async #followAll(): Promise<void> {
    const { host, named, principal, clis } = this.#options;
    if (named.length > 0) {
      for (const id of named) await this.#followNamed(id);
      return;
    }
    const limit = limits.sessionPageDefault;
    const { sessions } = await host.list({ principal, limit, status: "live" });
    const live = sessions.map(({ session_id }) => session_id).toReversed();
    for (const id of new Set([...clis.carriedIds(principal), ...live])) await this.#follow(id);
  }

  /** A CLI of somebody whom the front end reaches works in this session. */
  takeCarried(sessionId: string): void {
    if (this.#options.named.length === 0) this.#followLater(sessionId);
    else this.#recheck();
  }

  stop(): void {
    this.#leaveFeed();
  }

  #take(change: SessionChange): void {
    const { frames, principal } = this.#options;
    if (change.type === "projects" || !canReach(principal, change.owner)) return;
    if (change.type === "removed") {
      frames.forget(change.sessionId);
      return;
    }
    const { session_id: id } = change.info;
    if (!this.#wants(change.info)) frames.leave(id);
    else if (!frames.has(id)) this.#followLater(id);
  }

  #wants({ session_id, provider_session_id, status }: SessionInfo): boolean {
    const { named, clis } = this.#options;
    if (named.length === 0) return status === "live" || clis.hasCarried(session_id);
    return (
      named.includes(session_id) ||
      (provider_session_id !== undefined && named.includes(provider_session_id))
    );
  }

  #recheck(): void {
    for (const id of this.#options.named) {
      detach(this.#followNamed(id, { isAsked: false }), this.#options.onError);
    }
  }

  #followLater(sessionId: string): void {
    detach(this.#follow(sessionId), this.#options.onError);
  }

  async #follow(sessionId: string): Promise<void> {
    const { host, frames, principal } = this.#options;
    if (this.#opening.has(sessionId)) return;
    this.#opening.add(sessionId);
    try {
      const session = await host.openOrRead(sessionId, principal);
      // One that is gone by now has nothing to show.
      if (session.ok) frames.follow(session.value);
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  async #followNamed(id: string, { isAsked } = { isAsked: true }): Promise<void> {
    const { host, frames, principal, onProblem } = this.#options;
    const session = await findSession(host, id, principal);
    if (session.ok) frames.follow(session.value);
    else if (isAsked) onProblem(session.error);
  }
}
