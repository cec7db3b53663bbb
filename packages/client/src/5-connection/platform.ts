import { pageKeyStorage } from "@turnwire/protocol";
import { createElapsedClock } from "./elapsed-clock.ts";

/** The runtime's own abort signal where its types are loaded, else the part of it that is used here. */
export type AbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : PlainAbortSignal;

interface PlainAbortSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The parts of a request; every `fetch` accepts them. */
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

/** The reports of a browser about the network and the page. frozen: it stops running; resumed: it runs again. */
export type Hint = "online" | "offline" | "visible" | "frozen" | "resumed";

/** Everything the client takes from the runtime it lives in. */
export interface Platform {
  readonly fetch: Fetch;
  /** Milliseconds that pass also while the machine sleeps and never go back; begins with the time of day. */
  readonly now: () => number;
  /** From 0 up to, without, 1. */
  readonly random: () => number;
  /** An id that is unique everywhere. */
  readonly createId: () => string;
  /** Calls back once, later; the answer takes it back. */
  readonly startTimer: (callback: () => void, delayMs: number) => () => void;
  readonly createTextDecoder: () => TextDecoderPort;
  readonly createAbort: () => { readonly signal: AbortSignal; abort(): void };
  /** A browser, which opens only six connections to a server of HTTP/1.1, for all its tabs together. */
  readonly isBrowser: boolean;
  /** Missing where the runtime has none, as in Node 20. */
  readonly createWebSocket?: (url: string, protocols: string[]) => WebSocketPort;
  /** The key that a page of the server got when its browser logged in; beside it the browser sends a cookie. */
  readonly pageKey: (serverUrl: string) => string | undefined;
  /** The answer stops the hints. */
  readonly onHint: (listener: (hint: Hint) => void) => () => void;
  /** Takes what a listener threw, so that it cannot break the connection. */
  readonly reportError: (error: unknown) => void;
}

type Listener = (event: { readonly persisted?: boolean }) => void;

interface EventTarget {
  addEventListener(type: string, listener: Listener): void;
  removeEventListener(type: string, listener: Listener): void;
}

/** The globals of browsers, Node, Deno and Bun, as far as they are used here. */
interface Globals {
  readonly fetch: Fetch;
  readonly performance?: { now(): number };
  readonly crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };
  readonly TextDecoder: new () => TextDecoderPort;
  readonly AbortController: new () => { readonly signal: AbortSignal; abort(): void };
  setTimeout(callback: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
  readonly WebSocket?: new (url: string, protocols: string[]) => WebSocketPort;
  readonly URL: new (
    url: string,
    base: string,
  ) => { readonly href: string; readonly origin: string; readonly pathname: string };
  readonly localStorage?: { getItem(name: string): string | null };
  readonly location?: { readonly href: string };
  readonly window?: EventTarget;
  readonly document?: EventTarget & { readonly visibilityState: string };
  /** Web workers have it instead of a document. */
  readonly importScripts?: unknown;
  reportError?(error: unknown): void;
}

/** The platform of the running program, with parts replaced as asked. */
export function createPlatform(parts: Partial<Platform> = {}): Platform {
  const globals = globalThis as unknown as Globals;
  const { WebSocket } = globals;
  return {
    fetch: (url, init) => globals.fetch(url, init),
    now: createElapsedClock({
      timeOfDay: () => Date.now(),
      monotonic: () => globals.performance?.now() ?? 0,
    }),
    random: () => Math.random(),
    createId: () => createId(globals),
    startTimer: (callback, delayMs) => {
      const timer = globals.setTimeout(callback, delayMs);
      return () => globals.clearTimeout(timer);
    },
    createTextDecoder: () => new globals.TextDecoder(),
    createAbort: () => new globals.AbortController(),
    isBrowser: globals.document !== undefined || globals.importScripts !== undefined,
    ...(WebSocket && {
      createWebSocket: (url: string, protocols: string[]) =>
        new WebSocket(socketAddress(globals, url), protocols),
    }),
    pageKey: (serverUrl) => storedPageKey(globals, serverUrl),
    onHint: (listener) => watchHints(globals, listener),
    reportError: (error) => reportError(globals, error),
    ...parts,
  };
}

/** Only for the server that the page itself came from: no other may see the key. */
function storedPageKey(globals: Globals, serverUrl: string): string | undefined {
  const { location, URL } = globals;
  if (!location) return undefined;
  const root = new URL(`${serverUrl.replace(/\/+$/, "")}/`, location.href);
  if (root.origin !== new URL("/", location.href).origin) return undefined;
  try {
    return globals.localStorage?.getItem(`${pageKeyStorage}${root.pathname}`) ?? undefined;
  } catch {
    // A browser that blocks storage throws.
    return undefined;
  }
}

/** Where a page names its own server by a path, older browsers want the whole address. */
function socketAddress({ location, URL }: Globals, url: string): string {
  return location ? new URL(url, location.href).href.replace(/^http/, "ws") : url;
}

/** Not `randomUUID`: browsers offer that only on pages with TLS. */
function createId(globals: Globals): string {
  const bytes = globals.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function watchHints(globals: Globals, listener: (hint: Hint) => void): () => void {
  const watched = hintSources(globals).map(({ target, type, hintFrom }) => {
    const onEvent: Listener = (event) => {
      const hint = hintFrom(event);
      if (hint) listener(hint);
    };
    target?.addEventListener(type, onEvent);
    return () => target?.removeEventListener(type, onEvent);
  });
  return () => {
    for (const stop of watched) stop();
  };
}

interface HintSource {
  readonly target: EventTarget | undefined;
  readonly type: string;
  readonly hintFrom: (event: { readonly persisted?: boolean }) => Hint | undefined;
}

/** A page that is `persisted` is kept frozen, and shown again as it was. */
function hintSources({ window, document }: Globals): HintSource[] {
  return [
    { target: window, type: "online", hintFrom: () => "online" },
    { target: window, type: "offline", hintFrom: () => "offline" },
    {
      target: document,
      type: "visibilitychange",
      hintFrom: () => (document?.visibilityState === "visible" ? "visible" : undefined),
    },
    {
      target: window,
      type: "pagehide",
      hintFrom: ({ persisted }) => (persisted ? "frozen" : undefined),
    },
    {
      target: window,
      type: "pageshow",
      hintFrom: ({ persisted }) => (persisted ? "resumed" : undefined),
    },
    { target: document, type: "freeze", hintFrom: () => "frozen" },
    { target: document, type: "resume", hintFrom: () => "resumed" },
  ];
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
