import type { SessionEvent } from "@turnwire/protocol";
import { ClientError } from "./client-error.ts";

/**
 * An envelope from its JSON. Only what following needs is checked:
 * the server has checked the data by schema, and types that are not known here pass.
 */
export function sessionEventFrom(json: string): SessionEvent {
  const value = valueFrom(json);
  if (isEnvelope(value)) return value as unknown as SessionEvent;
  throw new ClientError("protocol", `Not an event: ${json.slice(0, 200)}`);
}

/** Any frame's JSON. */
export function valueFrom(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ClientError("protocol", `Not JSON: ${json.slice(0, 200)}`, { cause });
  }
}

function isEnvelope(value: unknown): value is { seq: number; type: string; data: object } {
  if (typeof value !== "object" || value === null) return false;
  if (!("seq" in value) || !("type" in value) || !("data" in value)) return false;
  return (
    Number.isSafeInteger(value.seq) &&
    typeof value.type === "string" &&
    typeof value.data === "object" &&
    value.data !== null
  );
}
