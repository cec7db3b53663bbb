import { type WireError, wireError, type WireErrorCode } from "./wire-error.ts";

/** An expected outcome as a value: what was asked for, or why not, ready for the wire. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: WireError };

export function accepted<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function rejected(
  code: WireErrorCode,
  message: string,
  details?: WireError["details"],
): { readonly ok: false; readonly error: WireError } {
  return { ok: false, error: wireError(code, message, details) };
}
