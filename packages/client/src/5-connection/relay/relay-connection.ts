import type { Platform } from "../platform.ts";
import {
  relayConnectionStep,
  type RelayConnectionInput,
  type RelayConnectionState,
} from "./relay-connection-state.ts";
import { linesFrom } from "./relay-frame.ts";
import { relayLineFrom, type RelayLine } from "./relay-line.ts";

/** The part of a `WebSocket` that following a relay needs; the `ws` package has it too. */
export interface RelaySocket {
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: () => void): void;
  close(): void;
}

/** The functions taken from the runtime; each has the runtime's own as default. */
export interface RelayPlatform extends Pick<Platform, "startTimer" | "random" | "reportError"> {
  readonly createSocket: (url: string) => RelaySocket;
}

export interface RelayConnectionOptions {
  readonly url: string;
  /** It is not opened again when it ends. */
  readonly isSilent: boolean;
  readonly platform: RelayPlatform;
  readonly onState: (state: RelayConnectionState) => void;
  readonly onLine: (line: RelayLine) => void;
}

/** How long a handshake may take: something may accept connections and never answer. */
const HANDSHAKE_MS = 4_000;

/** Follows a relay as a front end that only listens, until `stop`. */
export class RelayConnection {
  readonly #options: RelayConnectionOptions;
  #state: RelayConnectionState = { type: "connecting", attempt: 0 };
  #stopTimer: () => void = () => {};
  #closeSocket: () => void = () => {};

  constructor(options: RelayConnectionOptions) {
    this.#options = options;
    this.#enter();
  }

  get state(): RelayConnectionState {
    return this.#state;
  }

  stop(): void {
    this.#take({ type: "stop" });
  }

  #take(input: RelayConnectionInput): void {
    const { isSilent, platform, onState } = this.#options;
    const next = relayConnectionStep(this.#state, input, { isSilent, random: platform.random() });
    if (next === this.#state) return;
    const isSameType = next.type === this.#state.type;
    this.#state = next;
    if (isSameType) return;
    this.#enter();
    onState(next);
  }

  #enter(): void {
    const { platform } = this.#options;
    this.#stopTimer();
    this.#stopTimer = () => {};
    switch (this.#state.type) {
      case "connecting":
        this.#stopTimer = platform.startTimer(() => this.#end(), HANDSHAKE_MS);
        this.#open();
        return;
      case "waiting":
        this.#stopTimer = platform.startTimer(
          () => this.#take({ type: "waited" }),
          this.#state.delayMs,
        );
        return;
      case "open":
        return;
      case "closed":
        this.#closeSocket();
    }
  }

  #end(): void {
    this.#closeSocket();
    this.#take({ type: "ended" });
  }

  #open(): void {
    const { url, platform, onLine } = this.#options;
    let isOver = false;
    let rest = "";
    const whileOpen = (act: () => void) => () => {
      if (!isOver) act();
    };
    const end = whileOpen(() => {
      isOver = true;
      this.#take({ type: "ended" });
    });
    let socket: RelaySocket;
    try {
      socket = platform.createSocket(url);
    } catch {
      // Some browsers throw at what others refuse later. Later here too: the caller has no connection yet.
      this.#stopTimer();
      this.#stopTimer = platform.startTimer(end, 0);
      return;
    }
    this.#closeSocket = () => {
      isOver = true;
      socket.close();
    };
    socket.addEventListener(
      "open",
      whileOpen(() => this.#take({ type: "opened" })),
    );
    // A close follows; `ws` would throw what has no listener.
    socket.addEventListener("error", () => undefined);
    socket.addEventListener("close", end);
    socket.addEventListener("message", ({ data }) => {
      if (isOver) return;
      this.#take({ type: "heard" });
      const frame = linesFrom(rest, String(data));
      rest = frame.rest;
      for (const line of frame.lines) onLine(relayLineFrom(line));
    });
  }
}

/** The globals of browsers, Node, Deno and Bun, as far as they are used here. */
interface Globals {
  readonly WebSocket?: new (url: string) => RelaySocket;
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

/** The running program's own parts where no others are given. */
export function createRelayPlatform(parts: Partial<RelayPlatform> = {}): RelayPlatform {
  const globals = globalThis as unknown as Globals;
  return {
    createSocket: parts.createSocket ?? socketsOf(globals),
    random: () => Math.random(),
    startTimer: (callback, delayMs) => {
      const timer = globals.setTimeout(callback, delayMs);
      return () => globals.clearTimeout(timer);
    },
    reportError: (error) => {
      globals.setTimeout(() => {
        throw error;
      }, 0);
    },
    ...parts,
  };
}

function socketsOf({ WebSocket }: Globals): RelayPlatform["createSocket"] {
  if (!WebSocket) throw new Error("This runtime has no WebSocket: pass createSocket");
  return (url) => new WebSocket(url);
}
