import type { SessionEvent } from "@turnwire/protocol";
import { ClientError } from "./client-error.ts";

/**
 * A frame as an event. Only what following needs is checked:
 * the server has checked the data by schema, and types that are not known here pass.
 */
export function sessionEventFrom(frame: unknown): SessionEvent {
  if (isEnvelope(frame)) return frame as unknown as SessionEvent;
  throw new ClientError("protocol", `Not an event: ${JSON.stringify(frame).slice(0, 200)}`);
}

export function frameFrom(json: string): unknown {
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
