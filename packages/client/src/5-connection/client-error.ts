import type { WireError } from "@turnwire/protocol";

/**
 * network: the server was not reached or the connection broke; blocked: it is reached, but no WebSocket gets through;
 * wire: the server refused, see `error`; protocol: it answered in words that are not ours; aborted: the caller gave up; timeout: nothing came in time.
 */
export type ClientErrorCode = "network" | "blocked" | "wire" | "protocol" | "aborted" | "timeout";

export interface ClientErrorOptions {
  readonly cause?: unknown;
  readonly error?: WireError;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** Everything this package throws or reports. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  /** The server's own error, where it sent one. */
  readonly error?: WireError;
  /** The HTTP status, when there was an answer. */
  readonly status?: number;
  /** How long the server asked to wait. */
  readonly retryAfterMs?: number;

  constructor(code: ClientErrorCode, message: string, options: ClientErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "ClientError";
    this.code = code;
    if (options.error) this.error = options.error;
    if (options.status !== undefined) this.status = options.status;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** The one funnel for what `fetch` and streams throw. */
export function clientErrorFrom(thrown: unknown): ClientError {
  if (thrown instanceof ClientError) return thrown;
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return new ClientError("network", `The server was not reached: ${words}`, { cause: thrown });
}
