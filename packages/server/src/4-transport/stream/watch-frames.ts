import { type SessionList, type WatchFrame, canReach } from "@turnwire/protocol";
import type { ChangeFeed } from "../../3-host/loaded/change-feed.ts";
import { fitsQuery, type SessionQuery } from "../../3-host/session-list.ts";
import {
  changedSession,
  type Encoding,
  type FrameRead,
  type FrameSource,
  type SessionChange,
  SLICE_BYTES,
} from "@turnwire/wire";

export interface WatchFramesOptions {
  readonly changes: ChangeFeed;
  readonly query: SessionQuery;
  readonly encoding: Encoding;
}

/** In the place of a session's id; no session can have it. */
const PROJECTS = "";

/**
 * What one watcher has not received yet: the list, then the newest word on each session that
 * changed, and on projects. It is not a log: what has not been read is replaced, so a slow watcher costs one frame per session.
 */
export class WatchFrames implements FrameSource {
  readonly #options: WatchFramesOptions;
  readonly #untold = new Map<string, WatchFrame>();
  readonly #listeners = new Set<() => number>();
  readonly #leave: () => void;
  #list: WatchFrame | undefined;
  #isListed = false;
  #end: FrameSource["end"];

  /** Changes are gathered from now on, so that none falls between the list and them. */
  constructor(options: WatchFramesOptions) {
    this.#options = options;
    this.#leave = options.changes.subscribe({
      onChange: (change) => this.#take(change),
      // Whoever comes back begins with the list.
      onMissed: () => this.#finish(),
      onEnd: () => this.#finish(),
    });
  }

  get end(): FrameSource["end"] {
    return this.#end;
  }

  /** Everything begins with it; what it has already is not repeated. */
  begin(list: SessionList): void {
    this.#list = { type: "sessions", ...list };
    this.#isListed = true;
    for (const { session_id, head } of list.sessions) {
      const untold = this.#untold.get(session_id);
      if (untold?.type === "session_changed" && untold.session.head <= head) {
        this.#untold.delete(session_id);
      }
    }
    this.#wake();
  }

  /** Takes what is untold, as much as one run holds; the position only counts reads. */
  after(position: number): FrameRead {
    if (!this.#isListed) return { type: "caught_up" };
    const frames: Buffer[] = [];
    let length = 0;
    for (const [sessionId, frame] of this.#unsent()) {
      const bytes = this.#encode(frame);
      length += bytes.length;
      // What is larger than a run goes alone: the subscriber may cut it only where the encoding did.
      if (frames.length > 0 && length > SLICE_BYTES) break;
      frames.push(bytes);
      if (sessionId === undefined) this.#list = undefined;
      else this.#untold.delete(sessionId);
    }
    if (frames.length === 0) return { type: "caught_up" };
    return { type: "frames", bytes: Buffer.concat(frames), last: position + 1 };
  }

  /** The list, then what changed since, each with the session it is about. */
  *#unsent(): Generator<readonly [sessionId: string | undefined, frame: WatchFrame]> {
    if (this.#list) yield [undefined, this.#list];
    yield* this.#untold;
  }

  subscribe(listener: () => number): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  release(): void {
    this.#leave();
    this.#listeners.clear();
    this.#untold.clear();
  }

  #take(change: SessionChange): void {
    const { query } = this.#options;
    if (change.type === "projects") {
      this.#report(PROJECTS, { type: "projects_changed" });
      return;
    }
    if (!canReach(query.principal, changedSession(change))) return;
    if (change.type === "changed" && fitsQuery(change.info, query)) {
      this.#report(change.info.session_id, { type: "session_changed", session: change.info });
      return;
    }
    const id = change.type === "changed" ? change.info.session_id : change.sessionId;
    this.#report(id, { type: "session_removed", session_id: id });
  }

  #finish(): void {
    this.#end = "released";
    this.#wake();
  }

  #report(sessionId: string, frame: WatchFrame): void {
    this.#untold.set(sessionId, frame);
    this.#wake();
  }

  #encode(frame: WatchFrame): Buffer {
    const data = JSON.stringify(frame);
    return this.#options.encoding.encode(undefined, { name: frame.type, data });
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}
