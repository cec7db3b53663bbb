import type { Socket } from "node:net";
import { detach } from "@turnwire/base";
import { type FollowEnd, type FrameRead, type FrameSource, SLICE_BYTES } from "@turnwire/wire";
import { BEAT_MS } from "./heartbeat.ts";
import { writePace } from "./frame-log/write-pace.ts";

const NOTHING = Buffer.alloc(0);
/** Written in one turn, where a socket takes so much. */
const ADVANCE_BYTES = 256 * 1024;

/** What a subscriber needs of a socket. */
export type ByteSink = Pick<Socket, "write" | "writable" | "writableLength" | "bytesWritten"> & {
  on(event: "drain", listener: () => void): unknown;
  off(event: "drain", listener: () => void): unknown;
};

export interface SubscriberOptions {
  readonly frames: FrameSource;
  readonly after: number;
  readonly socket: ByteSink;
  /** How long a reader may take nothing of what waits for it. */
  readonly stallMs: number;
  /** Written when nothing else was for that long. */
  readonly keepalive?: { readonly bytes: Buffer; readonly everyMs: number };
  readonly onBytes: (count: number) => void;
  /** All that can be sent has been written; the connection is the owner's to end. */
  readonly onEnd: (reason: FollowEnd) => void;
  /** The reader took nothing for too long; the connection is the owner's to destroy. */
  readonly onStall: () => void;
}

/**
 * One reader: a cursor into shared frames and a socket, no queue. Promise: it sees every event after
 * `after`, once and in order; while its socket does not take bytes, nothing is read for it.
 * A large frame is written in slices, the next one when the last was taken: how far a slow reader
 * has come is known to a slice, so one that takes a little now and then is never taken for stalled.
 */
export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #frames: FrameSource;
  readonly #socket: ByteSink;
  readonly #onDrain = (): void => {
    this.#isBlocked = false;
    writePace.run(this.#proceed);
  };
  /** Writes what the socket takes, in order: the rest of a frame first. True when a turn was not enough. */
  readonly #proceed = (): boolean => {
    this.#writeRest();
    return this.#advance();
  };
  #leave: () => void = () => undefined;
  #cursor: number;
  /** What is left of the frame that is being written. */
  #rest: Buffer = NOTHING;
  #between: (() => void)[] = [];
  #isBlocked = false;
  #isReading = false;
  /** What the store gave and was not written yet. */
  #found: FrameRead | undefined;
  #isEnded = false;
  #isStalled = false;
  #silentBeats = 0;
  #stalledBeats = 0;
  #taken = 0;

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#frames = options.frames;
    this.#socket = options.socket;
    this.#cursor = options.after;
  }

  start(): void {
    this.#leave = this.#frames.subscribe(() => {
      if (this.#proceed()) writePace.later(this.#proceed);
      return this.#cursor;
    });
    this.#socket.on("drain", this.#onDrain);
    writePace.run(this.#proceed);
  }

  /** Reads no more; safe to call twice. */
  stop(): void {
    this.#isEnded = true;
    this.#between = [];
    this.#leave();
    writePace.cancel(this.#proceed);
    this.#socket.off("drain", this.#onDrain);
  }

  /** Reads no more, and calls back as soon as the frame that is being written has ended. */
  finish(onFinished: () => void): void {
    this.#isEnded = true;
    this.#leave();
    this.writeBetween(() => {
      this.stop();
      onFinished();
    });
  }

  /** Writes something of another's to the same socket, where one frame has ended and before the next begins. */
  writeBetween(write: () => void): void {
    if (this.#rest.length === 0) write();
    else this.#between.push(write);
  }

  /** Called every beat until the socket is closed, also after the end: the last bytes must be taken too. */
  beat(): void {
    const { stallMs, keepalive, onStall } = this.#options;
    const waiting = this.#socket.writableLength;
    const taken = this.#socket.bytesWritten - waiting;
    this.#stalledBeats = waiting > 0 && taken === this.#taken ? this.#stalledBeats + 1 : 0;
    this.#taken = taken;
    if (this.#isStalled) return;
    if (this.#stalledBeats * BEAT_MS >= stallMs) {
      this.#isStalled = true;
      this.stop();
      onStall();
      return;
    }
    this.#silentBeats += 1;
    if (!keepalive || this.#isEnded || waiting > 0 || this.#rest.length > 0) return;
    if (this.#silentBeats * BEAT_MS >= keepalive.everyMs) this.#write(keepalive.bytes);
  }

  #advance(): boolean {
    let written = 0;
    while (!this.#isEnded && !this.#isBlocked && !this.#isReading) {
      if (written > ADVANCE_BYTES) return true;
      const read = this.#found ?? this.#frames.after(this.#cursor);
      this.#found = undefined;
      if (read instanceof Promise) {
        this.#read(read);
        return false;
      }
      if (read.type === "frames") written += read.bytes.length;
      if (!this.#take(read)) return false;
    }
    return false;
  }

  #read(read: Promise<FrameRead>): void {
    this.#isReading = true;
    detach(
      read.then((found) => {
        if (this.#isEnded) return;
        this.#isReading = false;
        this.#found = found;
        writePace.run(this.#proceed);
      }),
      () => this.#end("failed"),
    );
  }

  /** False when there is nothing more to take now. */
  #take(read: FrameRead): boolean {
    switch (read.type) {
      case "frames":
        this.#cursor = read.last;
        // Events may have no frame in a dialect: nothing was sent, so a keepalive may be due.
        if (read.bytes.length > 0) this.#write(read.bytes);
        return true;
      case "caught_up":
        if (this.#frames.end) this.#end(this.#frames.end);
        return false;
      case "gone":
        this.#end("gone");
        return false;
    }
  }

  #write(bytes: Buffer): void {
    this.#silentBeats = 0;
    this.#options.onBytes(bytes.length);
    this.#rest = bytes;
    this.#writeRest();
  }

  /** `write` says no for every large chunk; only what the kernel did not take at once is worth a wait. */
  #writeRest(): void {
    while (this.#rest.length > 0 && !this.#isBlocked) {
      if (!this.#socket.writable) {
        this.stop();
        return;
      }
      const slice = this.#rest.subarray(0, SLICE_BYTES);
      this.#rest = this.#rest.subarray(slice.length);
      this.#isBlocked = !this.#socket.write(slice) && this.#socket.writableLength > 0;
    }
    if (this.#rest.length > 0 || this.#between.length === 0) return;
    const between = this.#between;
    this.#between = [];
    for (const write of between) write();
  }

  #end(reason: FollowEnd): void {
    if (this.#isEnded) return;
    this.stop();
    this.#options.onEnd(reason);
  }
}
