import { isObject } from "@turnwire/base";
import type { WireError } from "@turnwire/protocol";
import { ClientError } from "./client-error.ts";
import type { FetchResponse } from "./platform.ts";

/** The error for a failed response: the server's own where it sent one, else the bare status. */
export async function refusalFrom(
  response: FetchResponse,
  { name, now }: { readonly name: string; readonly now: number },
): Promise<ClientError> {
  const { status } = response;
  const retryAfterMs = retryAfterFrom(response.headers.get("retry-after"), now);
  const facts = { status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  const error = wireErrorFrom(await response.text());
  return error
    ? new ClientError("wire", `${name} was refused with ${status}: ${error.message}`, {
        ...facts,
        error,
      })
    : new ClientError("protocol", `${name} answered ${status} without saying why`, facts);
}

/** Seconds or a date, as HTTP has it; undefined when it is neither. */
export function retryAfterFrom(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const delayMs = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(delayMs) ? undefined : Math.max(0, delayMs);
}

/** The code may be one that only a newer server knows. */
function wireErrorFrom(text: string): WireError | undefined {
  const body = parsed(text);
  if (!isObject(body) || !isObject(body["error"])) return undefined;
  const { code, message, retryable } = body["error"];
  const isWireError =
    typeof code === "string" && typeof message === "string" && typeof retryable === "boolean";
  return isWireError ? (body["error"] as unknown as WireError) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
