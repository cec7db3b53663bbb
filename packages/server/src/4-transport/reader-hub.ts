import type { Socket } from "node:net";
import type { Session } from "../2-session/session.ts";
import type { Tongue } from "../3-dialect/frame-log.ts";
import type { FrameLogs } from "../3-dialect/frame-logs.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Metrics } from "./metrics.ts";
import { Subscriber, type SubscriberOptions } from "./subscriber.ts";

export interface ReaderHubOptions {
  readonly frameLogs: FrameLogs;
  readonly heartbeat: Heartbeat;
  readonly metrics: Metrics;
  readonly stallMs: number;
  readonly keepaliveMs: number;
}

export interface FollowOptions extends Pick<SubscriberOptions, "after" | "onEnd" | "onStall"> {
  readonly socket: Socket;
  readonly session: Session;
  readonly tongue: Tongue;
  /** What keeps an otherwise silent connection open. */
  readonly keepalive?: Buffer;
}

/** Everybody who follows a session over a socket, whichever way the bytes are framed. */
export class ReaderHub {
  readonly #options: ReaderHubOptions;
  readonly #sockets = new Set<Socket>();

  constructor(options: ReaderHubOptions) {
    this.#options = options;
  }

  get heartbeat(): Heartbeat {
    return this.#options.heartbeat;
  }

  get keepaliveMs(): number {
    return this.#options.keepaliveMs;
  }

  /** Sends everything after a seq until the log or the socket ends; either way nothing stays behind. */
  follow(options: FollowOptions): void {
    const { session, socket, tongue } = options;
    if (socket.destroyed) return;
    const { frameLogs, heartbeat, metrics, stallMs, keepaliveMs } = this.#options;
    const frames = frameLogs.open(session.log, tongue);
    const leaveSession = session.attach();
    const release = (): void => {
      frames.release();
      leaveSession();
    };
    const subscriber = new Subscriber({
      frames: frames.frames,
      after: options.after,
      socket,
      stallMs,
      ...(options.keepalive && { keepalive: { bytes: options.keepalive, everyMs: keepaliveMs } }),
      onBytes: (count) => metrics.sentBytes.inc(count),
      onEnd: (reason) => {
        release();
        options.onEnd(reason);
      },
      onStall: () => {
        metrics.slowReaders.inc();
        release();
        options.onStall();
      },
    });
    const stopBeat = heartbeat.add(() => subscriber.beat());
    const label = { transport: tongue.encoding.name };
    metrics.subscribers.inc(label);
    this.#sockets.add(socket);
    socket.once("close", () => {
      subscriber.stop();
      stopBeat();
      release();
      metrics.subscribers.dec(label);
      this.#sockets.delete(socket);
    });
    subscriber.start();
  }

  /** Cuts off whoever has not left by itself. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
