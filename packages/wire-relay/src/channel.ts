import { detach, isObject } from "@turnwire/base";
import { canReach, type Principal } from "@turnwire/protocol";
import {
  type Encoding,
  type FollowEnd,
  type FrameLease,
  type FrameRead,
  type OpenSession,
  websocketLines,
  type WireContext,
} from "@turnwire/wire";
import { namedLine, objectFrom, unnamedRelay } from "./dialect/relay.ts";
import { MAX_CHANNEL_BYTES } from "./limit.ts";

export interface ChannelOptions {
  /** Whose CLI it is. */
  readonly principal: Principal;
  readonly framesOf: WireContext["framesOf"];
  readonly onOver: () => void;
  readonly onError: (error: unknown) => void;
}

/** A line as front ends get it. */
export interface ChannelLine {
  readonly bytes: Buffer;
  /** The same with the id of the conversation, where the line itself has none and needs one among others. */
  readonly named: Buffer;
}

/** The result of `at`. gone: it was dropped, because there is only so much memory. */
export type ChannelRead = ChannelLine | "gone" | undefined;

/** Older requests are answered by what their session knows of them. */
const MAX_REQUESTS = 1000;

/** Lines of a session's frames with their kinds, to be taken apart again. */
const kinds: Encoding = {
  name: "relay-kinds",
  encode: (_seq, { name, data }) => Buffer.from(`${name}\t${data}\n`),
};

/**
 * The lines of one conversation of a CLI, from when it connected: each is there for front ends as soon
 * as the CLI has written it. Other events of its session come from the log, which has the lines too,
 * later; those are left out.
 */
export class Channel {
  readonly principal: Principal;
  readonly #options: ChannelOptions;
  readonly #lines: ChannelLine[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #uuids = new Set<string>();
  /** Lines of the CLI, and lines to it, that have not been met in the log yet, in order. */
  readonly #unmet = { line: [] as string[], said: [] as string[] };
  /** The tool uses about which the CLI has asked, by the ids of its requests. */
  readonly #asked = new Map<string, string>();
  readonly #joined: Promise<OpenSession | undefined>;
  #onJoined: (session: OpenSession | undefined) => void = () => undefined;
  #dropped = 0;
  #bytes = 0;
  #conversationId: string | undefined;
  #session: OpenSession | undefined;
  #lease: FrameLease | undefined;
  #leave: () => void = () => undefined;
  #isReading = false;
  #end: FollowEnd | undefined;
  /** The position in the log up to which the channel has what the session's readers get. */
  position = 0;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.principal = options.principal;
    this.#joined = new Promise((resolve) => (this.#onJoined = resolve));
  }

  /** The id that the CLI has for the conversation, once it has named it. */
  get conversationId(): string | undefined {
    return this.#conversationId;
  }

  /** The session that the conversation has become. */
  get session(): OpenSession | undefined {
    return this.#session;
  }

  /** The session that the conversation becomes; undefined when it became none. */
  get joined(): Promise<OpenSession | undefined> {
    return this.#joined;
  }

  /** The tool use that a request of the CLI is about. */
  subjectOf(requestId: string): string | undefined {
    return this.#asked.get(requestId);
  }

  /** Whether someone who comes late gets everything here. */
  get isWhole(): boolean {
    return this.#dropped === 0;
  }

  /** Why no more comes. */
  get end(): FollowEnd | undefined {
    return this.#end;
  }

  isFor(id: string): boolean {
    return this.#conversationId === id || this.#session?.id === id;
  }

  /** Whether its lines are those of a session: ids of conversations are words of their CLIs, so the owner counts too. */
  carries({ id, owner, control }: OpenSession): boolean {
    if (this.#session) return this.#session.id === id;
    const { provider_session_id } = control.session;
    const isNamed = this.#conversationId !== undefined && this.principal.id === owner;
    return isNamed && this.#conversationId === provider_session_id;
  }

  isReachedBy(principal: Principal): boolean {
    return canReach(principal, { owner: this.principal.id });
  }

  at(index: number): ChannelRead {
    return index < this.#dropped ? "gone" : this.#lines[index - this.#dropped];
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  name(conversationId: string): void {
    this.#conversationId = conversationId;
  }

  /** Whether a message with this id came past before: a CLI that dials in again repeats what it has said. */
  hasSeen(uuid: string): boolean {
    return this.#uuids.has(uuid);
  }

  /** A line that the CLI wrote. */
  take(line: string, uuid: string | undefined): void {
    if (uuid !== undefined) this.#uuids.add(uuid);
    this.#unmet.line.push(line);
    this.#noteRequest(line);
    this.#append(line);
  }

  /** A line that the CLI was sent. */
  say(line: string): void {
    this.#unmet.said.push(line);
    this.#append(line);
  }

  /** Adds the events of the session after a position in its log. */
  join(session: OpenSession, after: number): void {
    if (this.#end || this.#session) return;
    this.#session = session;
    this.#onJoined(session);
    this.position = after;
    this.#lease = this.#options.framesOf(session, { dialect: unnamedRelay, encoding: kinds });
    this.#leave = this.#lease.frames.subscribe(() => {
      this.#read();
      return this.position;
    });
    this.#read();
  }

  /** No more comes; who has not read everything still can. */
  close(reason: FollowEnd): void {
    if (this.#end) return;
    this.#end = reason;
    this.#leave();
    this.#lease?.release();
    this.#onJoined(undefined);
    this.#options.onOver();
    this.#wake();
  }

  #read(): void {
    while (this.#lease && !this.#isReading && !this.#end) {
      const read = this.#lease.frames.after(this.position);
      if (read instanceof Promise) {
        this.#isReading = true;
        const taken = read.then((found) => {
          this.#isReading = false;
          this.#merge(found);
          this.#read();
        });
        detach(taken, (error) => {
          this.#options.onError(error);
          this.close("failed");
        });
        return;
      }
      if (!this.#merge(read)) return;
    }
  }

  /** Whether there may be more. */
  #merge(read: FrameRead): boolean {
    if (read.type === "frames") {
      this.position = read.last;
      for (const text of read.bytes.toString().split("\n")) if (text !== "") this.#meet(text);
      return true;
    }
    const reason = read.type === "gone" ? "gone" : this.#lease?.frames.end;
    if (reason) this.close(reason);
    return false;
  }

  #meet(text: string): void {
    const end = text.indexOf("\t");
    const [kind, line] = [text.slice(0, end), text.slice(end + 1)];
    if (kind === "line" || kind === "said") {
      const unmet = this.#unmet[kind];
      const place = unmet.indexOf(line);
      // Earlier ones that are not in the log were repetitions.
      unmet.splice(0, place + 1);
      if (place >= 0) return;
    }
    this.#append(line);
  }

  #noteRequest(line: string): void {
    if (!line.includes('"control_request"')) return;
    const { type, request_id: id, request } = objectFrom(line);
    if (type !== "control_request" || typeof id !== "string" || !isObject(request)) return;
    const { tool_use_id: subject = id } = request;
    this.#asked.set(id, String(subject));
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MAX_REQUESTS && oldest !== undefined) this.#asked.delete(oldest);
  }

  #append(line: string): void {
    const entry = lineFrom(line, () => this.#conversationId ?? this.#session?.id);
    this.#lines.push(entry);
    this.#bytes += entry.bytes.length;
    while (this.#bytes > MAX_CHANNEL_BYTES && this.#lines.length > 1) {
      this.#bytes -= this.#lines.shift()?.bytes.length ?? 0;
      this.#dropped += 1;
      if (this.#unmet.line.length > this.#lines.length) this.#unmet.line.shift();
    }
    this.#wake();
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }
}

function lineFrom(line: string, conversationId: () => string | undefined): ChannelLine {
  const bytes = encoded(line);
  return {
    bytes,
    get named() {
      const name = conversationId();
      return name === undefined ? bytes : encoded(namedLine(line, name));
    },
  };
}

function encoded(line: string): Buffer {
  return websocketLines.encode(undefined, { name: "line", data: line });
}
