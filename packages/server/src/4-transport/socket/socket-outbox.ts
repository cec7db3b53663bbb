import { closeCode, limits } from "@turnwire/protocol";
import type { WebSocket } from "ws";
import type { Reader } from "../stream/reader-hub.ts";

/**
 * Answers to a peer, between the events of its reader. Answers to somebody who does not read them
 * would pile up, so only so many wait. Events on their way are the reader's, which knows by itself
 * when it is too slow.
 */
export class SocketOutbox {
  readonly #websocket: WebSocket;
  #unsentBytes = 0;
  /** Whoever else writes to the same socket. */
  reader: Reader | undefined;

  constructor(websocket: WebSocket) {
    this.#websocket = websocket;
  }

  send(text: string): void {
    if (this.#unsentBytes + text.length > limits.socketBacklogBytes) {
      this.#websocket.close(closeCode.tooSlow, "too slow");
      return;
    }
    this.#unsentBytes += text.length;
    const write = (): void => {
      this.#websocket.send(text, () => {
        this.#unsentBytes -= text.length;
      });
    };
    if (this.reader) this.reader.writeBetween(write);
    else write();
  }
}
