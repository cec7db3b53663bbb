import { wireErrorStatus, type WireError } from "@turnwire/protocol";

/** What a route answers; nothing is sent before it is complete. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The route wrote to the connection by itself. */
export const TAKEN = "taken";

export function json(status: number, value: unknown): HttpResponse {
  return jsonText(status, JSON.stringify(value));
}

/** For values that are JSON text already. */
export function jsonText(status: number, text: string): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, body: text };
}

export function empty(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return { status, headers, body: null };
}

/** The answer for everything that failed: one body shape, whatever the cause. */
export function refused(
  error: WireError,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const answer = json(wireErrorStatus[error.code], { error, detail: error.message });
  const retryAfter: Record<string, string> = error.retryable ? { "retry-after": "1" } : {};
  return { ...answer, headers: { ...answer.headers, ...retryAfter, ...headers } };
}
