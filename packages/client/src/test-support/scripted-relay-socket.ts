import type { RelaySocket } from "../5-connection/relay/relay-connection.ts";

type Listener = (event: { readonly data: unknown }) => void;

/** A relay's end of a connection, in the hands of a test. */
export class ScriptedRelaySocket implements RelaySocket {
  readonly url: string;
  isClosed = false;
  readonly #listeners = new Map<string, Listener[]>();

  constructor(url: string) {
    this.url = url;
  }

  addEventListener(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.#emit("open");
  }

  say(...lines: readonly object[]): void {
    for (const line of lines) this.sayRaw(`${JSON.stringify(line)}\n`);
  }

  sayRaw(frame: string): void {
    this.#emit("message", frame);
  }

  /** The relay is gone. */
  end(): void {
    this.#emit("error");
    this.#emit("close");
  }

  #emit(type: string, data?: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data });
  }
}
