/** The runtime's own abort signal where its types are loaded, else the part of it that is used here. */
export type AbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : PlainAbortSignal;

interface PlainAbortSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** What a request is made of; every `fetch` accepts it. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly body?: string;
}

/** The part of a `Response` that is used here. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { getReader(): BodyReader } | null;
  text(): Promise<string>;
}

interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

interface TextDecoderPort {
  /** Keeps half a character for the next call. */
  decode(bytes: Uint8Array, options: { stream: true }): string;
}

export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The part of a `WebSocket` that is used here; the `ws` package has it too. */
export interface WebSocketPort {
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
  addEventListener(type: "error", listener: () => void): void;
  close(): void;
}

/** What a browser tells about the network and the page. */
export type Hint = "online" | "offline" | "visible";

/** Everything the client takes from the runtime it lives in. */
export interface Platform {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** From 0 up to, without, 1. */
  readonly random: () => number;
  /** An id that nobody else makes. */
  readonly createId: () => string;
  /** Calls back once, later; the answer takes it back. */
  readonly startTimer: (callback: () => void, delayMs: number) => () => void;
  readonly createTextDecoder: () => TextDecoderPort;
  readonly createAbort: () => { readonly signal: AbortSignal; abort(): void };
  /** Missing where the runtime has none, as in Node 20. */
  readonly createWebSocket?: (url: string, protocols: string[]) => WebSocketPort;
  /** The answer stops the hints. */
  readonly onHint: (listener: (hint: Hint) => void) => () => void;
  /** Takes what a listener threw, so that it cannot break the connection. */
  readonly reportError: (error: unknown) => void;
}

interface EventTarget {
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** The globals of browsers, Node, Deno and Bun, as far as they are used here. */
interface Globals {
  readonly fetch: Fetch;
  readonly crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
  readonly TextDecoder: new () => TextDecoderPort;
  readonly AbortController: new () => { readonly signal: AbortSignal; abort(): void };
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  readonly WebSocket?: new (url: string, protocols: string[]) => WebSocketPort;
  readonly window?: EventTarget;
  readonly document?: EventTarget & { readonly visibilityState: string };
  reportError?(error: unknown): void;
}

/** The platform of the running program, with parts replaced as asked. */
export function createPlatform(parts: Partial<Platform> = {}): Platform {
  const globals = globalThis as unknown as Globals;
  const { WebSocket } = globals;
  return {
    fetch: (url, init) => globals.fetch(url, init),
    now: () => Date.now(),
    random: () => Math.random(),
    createId: () => createId(globals),
    startTimer: (callback, delayMs) => {
      const timer = globals.setTimeout(callback, delayMs);
      return () => globals.clearTimeout(timer);
    },
    createTextDecoder: () => new globals.TextDecoder(),
    createAbort: () => new globals.AbortController(),
    ...(WebSocket && {
      createWebSocket: (url: string, protocols: string[]) => new WebSocket(url, protocols),
    }),
    onHint: (listener) => watchHints(globals, listener),
    reportError: (error) => reportError(globals, error),
    ...parts,
  };
}

/** Not `randomUUID`: browsers offer that only on pages with TLS. */
function createId(globals: Globals): string {
  const bytes = globals.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function watchHints({ window, document }: Globals, listener: (hint: Hint) => void): () => void {
  const online = () => listener("online");
  const offline = () => listener("offline");
  const visible = () => {
    if (document?.visibilityState === "visible") listener("visible");
  };
  window?.addEventListener("online", online);
  window?.addEventListener("offline", offline);
  document?.addEventListener("visibilitychange", visible);
  return () => {
    window?.removeEventListener("online", online);
    window?.removeEventListener("offline", offline);
    document?.removeEventListener("visibilitychange", visible);
  };
}

/** Node has no `reportError`: thrown from a timer, the error reaches `uncaughtException` all the same. */
function reportError(globals: Globals, error: unknown): void {
  if (globals.reportError) {
    globals.reportError(error);
    return;
  }
  globals.setTimeout(() => {
    throw error;
  }, 0);
}
