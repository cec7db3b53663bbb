import { detach } from "@turnwire/base";
import {
  type FollowEnd,
  type Frame,
  type FrameLease,
  type FrameRead,
  type OpenSession,
  SLICE_BYTES,
  websocketLines,
  type WireContext,
} from "@turnwire/wire";
import { hasNativeLines, relay } from "./dialect/relay.ts";
import { MAX_OPENING_BYTES } from "./limit.ts";

export interface FollowedSessionOptions {
  readonly session: OpenSession;
  readonly framesOf: WireContext["framesOf"];
  /** What the front end has of it already; undefined: nothing. */
  readonly after: number | undefined;
  /** There may be more to take. */
  readonly onMore: () => void;
  /** No more will come. too_large: the session so far is more than this wire carries. */
  readonly onEnd: (reason: FollowEnd | "too_large") => void;
}

/** The position where a reader begins, and the frames that cover everything before it. */
interface Beginning {
  readonly after: number;
  readonly opening: readonly Frame[];
}

/** One session of a front end: the session so far, then what happens. */
export class FollowedSession {
  readonly #options: FollowedSessionOptions;
  readonly #opening: Buffer[] = [];
  #cursor: number;
  #lease: FrameLease | undefined;
  #leave: () => void = () => undefined;
  #found: FrameRead | undefined;
  #isReading = false;
  #isOver = false;

  constructor(options: FollowedSessionOptions) {
    this.#options = options;
    this.#cursor = options.after ?? 0;
  }

  get session(): OpenSession {
    return this.#options.session;
  }

  /** The seq up to which everything has been taken; undefined while the session so far has not. */
  get cursor(): number | undefined {
    return this.#lease && this.#opening.length === 0 ? this.#cursor : undefined;
  }

  get isRead(): boolean {
    return this.cursor === this.session.log.head;
  }

  /** Resolves when there is something to take, or will be none. */
  async join(): Promise<void> {
    const { framesOf, session } = this.#options;
    const { after, opening } = await this.#beginning();
    const length = opening.reduce((sum, { data }) => sum + data.length, 0);
    if (this.#isOver) return;
    if (length > MAX_OPENING_BYTES) return this.#end("too_large");
    this.#opening.push(...chunksOf(opening));
    this.#cursor = after;
    this.#lease = framesOf(session, { dialect: relay, encoding: websocketLines });
    this.#leave = this.#lease.frames.subscribe(() => {
      this.#options.onMore();
      return this.#cursor;
    });
    this.#options.onMore();
  }

  /** The next bytes to send, whole frames or what the encoding cuts into slices; undefined when there are none now. */
  take(): Buffer | undefined {
    const chunk = this.#opening.shift();
    if (chunk || !this.#lease) return chunk;
    while (!this.#isOver && !this.#isReading) {
      const read = this.#found ?? this.#lease.frames.after(this.#cursor);
      this.#found = undefined;
      if (read instanceof Promise) this.#read(read);
      else if (read.type === "frames") {
        this.#cursor = read.last;
        if (read.bytes.length > 0) return read.bytes;
      } else {
        const reason = read.type === "gone" ? "gone" : this.#lease.frames.end;
        if (reason) this.#end(reason);
        return undefined;
      }
    }
    return undefined;
  }

  /** Safe to call twice. */
  release(): void {
    this.#isOver = true;
    this.#leave();
    this.#lease?.release();
  }

  /** Lines of an agent that dialled in are all in the log; of any other session the state is enough. */
  async #beginning(): Promise<Beginning> {
    const { session, after } = this.#options;
    if (after !== undefined && session.log.verdict(after).type === "resumed") {
      return { after, opening: [] };
    }
    if (hasNativeLines(session.control)) {
      const base = await session.log.readBase();
      return { after: base.seq, opening: base.seq === 0 ? [] : relay.opening(base) };
    }
    const { seq, state } = await session.snapshot();
    return { after: seq, opening: relay.opening(state) };
  }

  #read(read: Promise<FrameRead>): void {
    this.#isReading = true;
    const found = read.then((frames) => {
      this.#isReading = false;
      this.#found = frames;
      this.#options.onMore();
    });
    detach(found, () => this.#end("failed"));
  }

  #end(reason: FollowEnd | "too_large"): void {
    if (this.#isOver) return;
    this.release();
    this.#options.onEnd(reason);
  }
}

/** Small frames together, each large one alone: others may write between the slices that a reader is sent. */
function chunksOf(frames: readonly Frame[]): Buffer[] {
  const chunks: Buffer[] = [];
  let open: Buffer[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) chunks.push(Buffer.concat(open));
    open = [];
    length = 0;
  };
  for (const frame of frames) {
    const bytes = websocketLines.encode(undefined, frame);
    if (length + bytes.length > SLICE_BYTES) close();
    open.push(bytes);
    length += bytes.length;
  }
  close();
  return chunks;
}
