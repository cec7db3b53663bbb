import { detach } from "@turnwire/base";
import type { FollowEnd, FrameRead, FrameSource, OpenSession, WireContext } from "@turnwire/wire";
import type { Channel } from "./channel.ts";
import { FollowedChannel } from "./followed-channel.ts";
import { FollowedSession } from "./followed-session.ts";
import { MAX_FOLLOWED } from "./limit.ts";

export interface RelayFramesOptions {
  readonly framesOf: WireContext["framesOf"];
  /** A session of which no more comes, for a reason that a person should know. */
  readonly onLost: (session: OpenSession, reason: FollowEnd | "too_large") => void;
  readonly onError: (error: unknown) => void;
}

/** Something that a front end follows. */
export interface Followed {
  /** Undefined while it is not a session yet. */
  readonly session: OpenSession | undefined;
  /** The position in the session up to which everything was taken; undefined while its past was not. */
  readonly cursor: number | undefined;
  readonly isRead: boolean;
  /** The next bytes to send; undefined when there are none now. */
  take(): Buffer | undefined;
  /** Safe to call twice. */
  release(): void;
}

/** By the id of a session, or by the channel. */
type Key = string | Channel;

/**
 * The frames of all sessions that a front end follows, for one socket: in the order of each session,
 * and no session waits for another that has much to say. Joined one after the other, so that only
 * one session so far is held in memory.
 */
export class RelayFrames implements FrameSource {
  readonly #options: RelayFramesOptions;
  /** The one that was served last is last. */
  readonly #followed = new Map<Key, Followed>();
  /** How far the front end has come in sessions that it does not follow now. */
  readonly #left = new Map<string, number>();
  readonly #leaving = new Set<Key>();
  #onRead: (() => void)[] = [];
  readonly #listeners = new Set<() => number>();
  #joined: Promise<void> = Promise.resolve();
  /** The one whose past is being sent; the next waits until that has been taken. */
  #joining: { readonly followed: FollowedSession; readonly onTaken: () => void } | undefined;
  #isReleased = false;

  constructor(options: RelayFramesOptions) {
    this.#options = options;
  }

  /** The socket ends it. */
  get end(): undefined {
    return undefined;
  }

  get sessions(): OpenSession[] {
    return [...this.#followed.values()].flatMap(({ session }) => session ?? []);
  }

  has(sessionId: string): boolean {
    const key = this.#keyOf(sessionId);
    return key !== undefined && !this.#leaving.has(key);
  }

  get channels(): Channel[] {
    return [...this.#followed.keys()].filter((key) => typeof key !== "string");
  }

  hasChannel(channel: Channel): boolean {
    return this.#followed.has(channel);
  }

  /** The lines of a CLI, with what its session adds. */
  followChannel(channel: Channel): void {
    this.#leaving.delete(channel);
    if (this.#isReleased || this.#followed.has(channel)) return;
    this.#makeRoom();
    const followed = new FollowedChannel({
      channel,
      hasOthers: () => this.#followed.size > 1,
      onMore: () => this.#wake(),
      onEnd: (reason) => this.#onEnd(channel, reason),
    });
    this.#followed.set(channel, followed);
    this.#wake();
  }

  follow(session: OpenSession): void {
    const known = this.#keyOf(session.id);
    if (known !== undefined) this.#leaving.delete(known);
    if (this.#isReleased || known !== undefined) return;
    this.#makeRoom();
    const followed = new FollowedSession({
      session,
      framesOf: this.#options.framesOf,
      after: this.#left.get(session.id),
      onMore: () => this.#wake(),
      onEnd: (reason) => this.#onEnd(session.id, reason),
    });
    this.#left.delete(session.id);
    this.#followed.set(session.id, followed);
    this.#joined = this.#joined.then(() => this.#join(followed));
    detach(this.#joined, this.#options.onError);
  }

  /** Follows it no more as soon as everything so far has been sent. */
  leave(sessionId: string): void {
    const key = this.#keyOf(sessionId);
    if (key === undefined) return;
    this.#leaving.add(key);
    this.#wake();
  }

  /** A deleted session, or one whose lines come in another way. */
  forget(sessionId: string): void {
    const key = this.#keyOf(sessionId);
    if (key !== undefined) this.#drop(key);
    this.#left.delete(sessionId);
  }

  /** The session's lines come by a channel now. */
  forgetLog(sessionId: string): void {
    this.#drop(sessionId);
    this.#left.delete(sessionId);
  }

  /** Calls back as soon as everything so far has been taken. */
  whenRead(callback: () => void): void {
    this.#onRead.push(callback);
    this.#wake();
  }

  /** The position only counts reads. */
  after(position: number): FrameRead {
    for (const [id, followed] of this.#followed) {
      const bytes = followed.take();
      this.#endJoin();
      if (this.#leaving.has(id) && followed.isRead) this.#drop(id);
      if (!bytes) continue;
      if (this.#followed.delete(id)) this.#followed.set(id, followed);
      return { type: "frames", bytes, last: position + 1 };
    }
    for (const callback of this.#onRead.splice(0)) callback();
    return { type: "caught_up" };
  }

  subscribe(listener: () => number): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  release(): void {
    this.#isReleased = true;
    for (const followed of this.#followed.values()) followed.release();
    this.#followed.clear();
    this.#listeners.clear();
    this.#onRead = [];
    this.#endJoin();
  }

  #keyOf(sessionId: string): Key | undefined {
    if (this.#followed.has(sessionId)) return sessionId;
    for (const [key, { session }] of this.#followed) if (session?.id === sessionId) return key;
    return undefined;
  }

  #makeRoom(): void {
    const [longestSilent] = this.#followed.keys();
    if (this.#followed.size >= MAX_FOLLOWED && longestSilent !== undefined) {
      this.#drop(longestSilent);
    }
  }

  async #join(followed: FollowedSession): Promise<void> {
    if (this.#followed.get(followed.session.id) !== followed) return;
    try {
      await followed.join();
    } catch (error) {
      this.#options.onError(error);
      followed.release();
      this.#onEnd(followed.session.id, "failed");
      return;
    }
    await new Promise<void>((onTaken) => {
      this.#joining = { followed, onTaken };
      this.#endJoin();
    });
  }

  #endJoin(): void {
    if (!this.#joining) return;
    const { followed, onTaken } = this.#joining;
    const isFollowed = this.#followed.get(followed.session.id) === followed;
    if (isFollowed && followed.cursor === undefined) return;
    this.#joining = undefined;
    onTaken();
  }

  #drop(key: Key): void {
    const followed = this.#followed.get(key);
    if (!followed) return;
    this.#followed.delete(key);
    this.#leaving.delete(key);
    const { session, cursor } = followed;
    if (session && cursor !== undefined) this.#left.set(session.id, cursor);
    followed.release();
    this.#endJoin();
  }

  #onEnd(key: Key, reason: FollowEnd | "too_large"): void {
    const session = this.#followed.get(key)?.session;
    this.#drop(key);
    if (!session || reason === "released") return;
    this.#left.delete(session.id);
    // What retention has removed meanwhile stands in the session so far.
    if (reason === "gone") this.follow(session);
    else if (reason !== "closed") this.#options.onLost(session, reason);
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
