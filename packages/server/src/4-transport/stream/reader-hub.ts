import type { Socket } from "node:net";
import type { FrameLease, FrameSource, OpenSession, WireFormat } from "@turnwire/wire";
import type { FrameLogs } from "./frame-log/frame-logs.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Metrics } from "../http/metrics.ts";
import type { RightsWatch } from "./rights-watch.ts";
import { Subscriber, type SubscriberOptions } from "./subscriber.ts";

export interface ReaderHubOptions {
  readonly frameLogs: FrameLogs;
  readonly heartbeat: Heartbeat;
  readonly metrics: Metrics;
  readonly rights: RightsWatch;
  readonly stallMs: number;
  readonly keepaliveMs: number;
}

interface ReaderOptions extends Pick<SubscriberOptions, "after" | "onEnd" | "onStall"> {
  readonly socket: Socket;
  /** What keeps an otherwise silent connection open. */
  readonly keepalive?: Buffer;
}

export interface FollowOptions extends ReaderOptions {
  readonly session: OpenSession;
  readonly wireFormat: WireFormat;
}

export interface ServeOptions extends ReaderOptions {
  readonly frames: FrameSource;
  /** How the bytes are framed, for the metrics. */
  readonly transport: string;
  /** Lets go of the frames; may be called twice. */
  readonly release: () => void;
}

/** One who is served; others that write to the same socket keep to where frames end. */
export interface Reader extends Pick<Subscriber, "writeBetween" | "finish"> {
  /** Serves it no more; the socket stays open. */
  leave(): void;
}

/** Everybody who follows something over a socket, whichever way the bytes are framed. */
export class ReaderHub {
  readonly #options: ReaderHubOptions;
  readonly #sockets = new Set<Socket>();
  readonly #drains = new Set<() => void>();

  constructor(options: ReaderHubOptions) {
    this.#options = options;
  }

  get heartbeat(): Heartbeat {
    return this.#options.heartbeat;
  }

  get rights(): RightsWatch {
    return this.#options.rights;
  }

  get keepaliveMs(): number {
    return this.#options.keepaliveMs;
  }

  /** Sends a session's events after a seq. */
  follow(options: FollowOptions): Reader | undefined {
    const { session, socket, wireFormat } = options;
    if (socket.destroyed) return undefined;
    const lease = this.open(session, wireFormat);
    return this.serve({ ...options, ...lease, transport: wireFormat.encoding.name });
  }

  /** A session's frames for one reader; the session stays loaded until they are released. */
  open(session: OpenSession, wireFormat: WireFormat): FrameLease {
    const lease = this.#options.frameLogs.open(session.log, wireFormat);
    const leaveSession = session.attach();
    return {
      frames: lease.frames,
      release: () => {
        lease.release();
        leaveSession();
      },
    };
  }

  /** Sends everything after a seq until the frames or the socket end; either way nothing stays behind. */
  serve(options: ServeOptions): Reader | undefined {
    const { socket, release } = options;
    if (socket.destroyed) {
      release();
      return undefined;
    }
    const { heartbeat, metrics, stallMs, keepaliveMs } = this.#options;
    const subscriber = new Subscriber({
      frames: options.frames,
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
    const label = { transport: options.transport };
    metrics.subscribers.inc(label);
    this.#sockets.add(socket);
    const leave = (): void => {
      if (isOver) return;
      isOver = true;
      socket.off("close", leave);
      subscriber.stop();
      stopBeat();
      release();
      metrics.subscribers.dec(label);
      this.#sockets.delete(socket);
    };
    let isOver = false;
    socket.once("close", leave);
    subscriber.start();
    return {
      writeBetween: (write) => subscriber.writeBetween(write),
      finish: (onFinished) => subscriber.finish(onFinished),
      leave,
    };
  }

  /** Calls back when the server stops, for connections that follow nothing; the returned function takes it back. */
  onDrain(callback: () => void): () => void {
    this.#drains.add(callback);
    return () => this.#drains.delete(callback);
  }

  drain(): void {
    for (const callback of this.#drains) callback();
  }

  /** Cuts off whoever has not left by itself. */
  destroy(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}
