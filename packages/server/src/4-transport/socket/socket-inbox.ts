import { setImmediate } from "node:timers/promises";
import { detach } from "@turnwire/base";
import { limits } from "@turnwire/protocol";
import type { RawData, WebSocket } from "ws";

export interface SocketInboxOptions {
  readonly websocket: Pick<WebSocket, "pause" | "resume">;
  readonly onError: (error: unknown) => void;
}

/**
 * The frames of a peer, taken one after the other in the order they came; it waits when it sends too
 * much. Between two frames everybody else has a turn, however many frames are there already.
 */
export class SocketInbox {
  readonly #options: SocketInboxOptions;
  #taken: Promise<void> = Promise.resolve();
  #pending = 0;
  #pendingBytes = 0;

  constructor(options: SocketInboxOptions) {
    this.#options = options;
  }

  /** Resolves when everything that was received so far has been handled. */
  get handled(): Promise<void> {
    return this.#taken;
  }

  receive(data: RawData, take: (bytes: Uint8Array) => Promise<void>): void {
    const { websocket, onError } = this.#options;
    const bytes = bytesOf(data);
    const waits = this.#pending > 0;
    this.#pending += 1;
    this.#pendingBytes += bytes.length;
    if (this.#hasEnough) websocket.pause();
    this.#taken = this.#taken
      .then(() => (waits ? setImmediate() : undefined))
      .then(() => take(bytes))
      .catch(onError);
    const settled = this.#taken.finally(() => {
      this.#pending -= 1;
      this.#pendingBytes -= bytes.length;
      if (!this.#hasEnough) websocket.resume();
    });
    detach(settled, onError);
  }

  get #hasEnough(): boolean {
    return (
      this.#pending >= limits.socketPendingCommands ||
      this.#pendingBytes >= limits.socketPendingBytes
    );
  }
}

/** What a WebSocket has received, as one stretch of bytes. */
export function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
