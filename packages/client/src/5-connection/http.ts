import { pageKeyHeader, pageKeyProtocol } from "@turnwire/protocol";
import { ClientError, clientErrorFrom } from "./client-error.ts";
import { createDeadline } from "./deadline.ts";
import type { AbortSignal, FetchResponse, Platform } from "./platform.ts";
import { refusalFrom } from "./refusal.ts";

export interface HttpOptions {
  /** Where the server is, with or without a path. */
  readonly url: string;
  readonly token?: string | undefined;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  readonly platform: Platform;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments of the path; each is escaped. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** How long the answer may take, where that is longer than usual. */
  readonly timeoutMs?: number;
}

/** Calls to one server: its address, its credential, and the funnel for everything that goes wrong. */
export class Http {
  readonly platform: Platform;
  readonly #token: string | undefined;
  readonly #url: string;
  readonly #timeoutMs: number;

  constructor({ url, token, timeoutMs, platform }: HttpOptions) {
    this.platform = platform;
    this.#token = token;
    this.#url = url.replace(/\/+$/, "");
    this.#timeoutMs = timeoutMs;
  }

  /** The answer's JSON. Its shape is the server's promise, so the caller names the type. */
  async json<Result>(call: Call): Promise<Result> {
    const text = await this.text(call);
    try {
      return JSON.parse(text) as Result;
    } catch (cause) {
      throw new ClientError("protocol", `${nameOf(call)} answered without JSON`, { cause });
    }
  }

  async text(call: Call): Promise<string> {
    const deadline = createDeadline(this.platform, {
      name: nameOf(call),
      signal: call.signal,
      timeoutMs: Math.max(this.#timeoutMs, call.timeoutMs ?? 0),
    });
    try {
      const response = await this.open({ ...call, signal: deadline.signal });
      return await response.text();
    } catch (thrown) {
      throw deadline.error ?? clientErrorFrom(thrown);
    } finally {
      deadline.release();
    }
  }

  /** The answer's bytes, however long they take as long as they come: the time limit is for each piece. */
  async bytes(call: Call): Promise<Uint8Array> {
    const name = nameOf(call);
    const abort = createDeadline(this.platform, { name, signal: call.signal });
    const inTime = async <Value>(work: Promise<Value>): Promise<Value> => {
      const limit = createDeadline(this.platform, { name, timeoutMs: this.#timeoutMs });
      try {
        return await limit.race(abort.race(work));
      } finally {
        limit.release();
      }
    };
    try {
      const headers = { accept: "*/*", ...call.headers };
      const response = await inTime(this.open({ ...call, headers, signal: abort.signal }));
      const reader = response.body?.getReader();
      const pieces: Uint8Array[] = [];
      for (;;) {
        const { done, value } = (await (reader && inTime(reader.read()))) ?? { done: true };
        if (value) pieces.push(value);
        if (done) return joined(pieces);
      }
    } catch (thrown) {
      abort.cancel();
      throw clientErrorFrom(thrown);
    } finally {
      abort.release();
    }
  }

  /** Resolves at the headers of a good answer; has no time limit of its own. */
  async open(call: Call & { readonly signal: AbortSignal }): Promise<FetchResponse> {
    const { method, body, signal } = call;
    const response = await this.platform.fetch(this.urlOf(call), {
      method,
      headers: this.#headersOf(call),
      signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    throw await refusalFrom(response, { name: nameOf(call), now: this.platform.now() });
  }

  urlOf({ path, query = {} }: Pick<Call, "path" | "query">): string {
    const search = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    const address = `${this.#url}/${path.map((part) => encodeURIComponent(part)).join("/")}`;
    return search.length > 0 ? `${address}?${search.join("&")}` : address;
  }

  /** The subprotocols that authenticate a WebSocket; browsers cannot set headers on an upgrade. */
  credentialProtocols(): string[] {
    const pageKey = this.#pageKey();
    if (this.#token !== undefined) return [`bearer.${this.#token}`];
    return pageKey === undefined ? [] : [`${pageKeyProtocol}${pageKey}`];
  }

  /** Read for each request: another tab may have logged in or out. */
  #pageKey(): string | undefined {
    return this.#token === undefined ? this.platform.pageKey(this.#url) : undefined;
  }

  #headersOf({ headers, body }: Call): Record<string, string> {
    const pageKey = this.#pageKey();
    return {
      accept: "application/json",
      ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
      ...(pageKey !== undefined && { [pageKeyHeader]: pageKey }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    };
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let filled = 0;
  for (const piece of pieces) {
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes;
}

function nameOf({ method, path }: Call): string {
  return `${method} /${path.join("/")}`;
}
