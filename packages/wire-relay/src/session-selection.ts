import { detach } from "@turnwire/base";
import {
  limits,
  type SessionInfo,
  type WireError,
  type Principal,
  canReach,
} from "@turnwire/protocol";
import {
  changedSession,
  type OpenSession,
  type SessionChange,
  type WireHost,
} from "@turnwire/wire";
import type { Channel } from "./channel.ts";
import type { DialledClis } from "./dialled-clis.ts";
import { findSession } from "./find-session.ts";
import type { RelayFrames } from "./relay-frames.ts";

export interface SessionSelectionOptions {
  readonly host: WireHost;
  readonly clis: Pick<
    DialledClis,
    "carriedIds" | "hasCarried" | "channelOf" | "channels" | "channelWith"
  >;
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
    const { host, clis, principal } = this.#options;
    for (const channel of clis.channels(principal)) this.takeChannel(channel);
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
    for (const id of clis.carriedIds(principal)) await this.#follow(id);
    for (const { session_id } of sessions.toReversed()) await this.#follow(session_id);
  }

  /** A conversation of a CLI, which may have no name yet: what it says is for everybody who named no session. */
  takeChannel(channel: Channel): void {
    const { frames, named } = this.#options;
    const isNamed = named.some((id) => channel.isFor(id));
    if (isNamed || (named.length === 0 && channel.isWhole)) frames.followChannel(channel);
  }

  /** Its lines come from there now: what had come from the log of its session so far continues with them. */
  takeNamed(channel: Channel): void {
    const { frames } = this.#options;
    const known = frames.sessions.find(
      (session) => session !== channel.session && channel.carries(session),
    );
    if (known) {
      frames.forget(known.id);
      frames.followChannel(channel);
    } else this.takeChannel(channel);
  }

  /** A CLI of somebody whom the front end reaches works in this session. */
  takeCarried(sessionId: string): void {
    const { clis, frames, named, principal } = this.#options;
    const channel = clis.channelOf(sessionId, principal);
    if (channel && frames.hasChannel(channel)) frames.forgetLog(sessionId);
    else if (named.length === 0) this.#followLater(sessionId);
    else this.#recheck();
  }

  stop(): void {
    this.#leaveFeed();
  }

  #take(change: SessionChange): void {
    const { frames, principal } = this.#options;
    if (change.type === "projects" || !canReach(principal, changedSession(change))) return;
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
    const { host, principal } = this.#options;
    if (this.#opening.has(sessionId)) return;
    this.#opening.add(sessionId);
    try {
      const session = await host.openOrRead(sessionId, principal);
      // One that is gone by now has nothing to show.
      if (session.ok) this.#followSession(session.value);
    } finally {
      this.#opening.delete(sessionId);
    }
  }

  async #followNamed(id: string, { isAsked } = { isAsked: true }): Promise<void> {
    const { host, clis, frames, principal, onProblem } = this.#options;
    const session = await findSession(host, id, principal);
    if (session.ok) return this.#followSession(session.value);
    const channel = clis.channelOf(id, principal);
    if (channel) frames.followChannel(channel);
    else if (isAsked) onProblem(session.error);
  }

  /** By its CLI where one has it here, which is sooner than by its log. */
  #followSession(session: OpenSession): void {
    const { clis, frames, principal } = this.#options;
    const channel = clis.channelWith(session, principal);
    if (frames.has(session.id) || (channel && frames.hasChannel(channel))) return;
    if (channel?.isWhole === true) frames.followChannel(channel);
    else frames.follow(session);
  }
}
