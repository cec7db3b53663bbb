import { detach } from "@turnwire/base";
import type { FollowEnd, FrameRead, FrameSource, OpenSession, WireContext } from "@turnwire/wire";
import { FollowedSession } from "./followed-session.ts";
import { MAX_FOLLOWED } from "./limit.ts";

export interface RelayFramesOptions {
  readonly framesOf: WireContext["framesOf"];
  /** A session of which no more comes, for a reason that a person should know. */
  readonly onLost: (session: OpenSession, reason: FollowEnd | "too_large") => void;
  readonly onError: (error: unknown) => void;
}

/**
 * The frames of all sessions that a front end follows, for one socket: in the order of each session,
 * and no session waits for another that has much to say. Joined one after the other, so that only
 * one session so far is held in memory.
 */
export class RelayFrames implements FrameSource {
  readonly #options: RelayFramesOptions;
  /** The one that was served last is last. */
  readonly #followed = new Map<string, FollowedSession>();
  /** How far the front end has come in sessions that it does not follow now. */
  readonly #left = new Map<string, number>();
  readonly #leaving = new Set<string>();
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
    return [...this.#followed.values()].map(({ session }) => session);
  }

  has(sessionId: string): boolean {
    return this.#followed.has(sessionId) && !this.#leaving.has(sessionId);
  }

  follow(session: OpenSession): void {
    this.#leaving.delete(session.id);
    if (this.#isReleased || this.#followed.has(session.id)) return;
    const [longestSilent] = this.#followed.keys();
    if (this.#followed.size >= MAX_FOLLOWED && longestSilent !== undefined) {
      this.#drop(longestSilent);
    }
    const followed = new FollowedSession({
      session,
      framesOf: this.#options.framesOf,
      after: this.#left.get(session.id),
      onMore: () => this.#wake(),
      onEnd: (reason) => this.#onEnd(session, reason),
    });
    this.#left.delete(session.id);
    this.#followed.set(session.id, followed);
    this.#joined = this.#joined.then(() => this.#join(followed));
    detach(this.#joined, this.#options.onError);
  }

  /** Follows it no more as soon as everything so far has been sent. */
  leave(sessionId: string): void {
    if (!this.#followed.has(sessionId)) return;
    this.#leaving.add(sessionId);
    this.#wake();
  }

  /** A deleted session. */
  forget(sessionId: string): void {
    this.#drop(sessionId);
    this.#left.delete(sessionId);
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
    this.#endJoin();
  }

  async #join(followed: FollowedSession): Promise<void> {
    if (this.#followed.get(followed.session.id) !== followed) return;
    try {
      await followed.join();
    } catch (error) {
      this.#options.onError(error);
      followed.release();
      this.#onEnd(followed.session, "failed");
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

  #drop(sessionId: string): void {
    const followed = this.#followed.get(sessionId);
    if (!followed) return;
    this.#followed.delete(sessionId);
    this.#leaving.delete(sessionId);
    if (followed.cursor !== undefined) this.#left.set(sessionId, followed.cursor);
    followed.release();
    this.#endJoin();
  }

  #onEnd(session: OpenSession, reason: FollowEnd | "too_large"): void {
    const followed = this.#followed.get(session.id);
    if (!followed) return;
    this.#drop(session.id);
    if (reason === "released") return;
    this.#left.delete(session.id);
    // What retention has removed meanwhile stands in the session so far.
    if (reason === "gone") this.follow(session);
    else if (reason !== "closed") this.#options.onLost(session, reason);
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
