import {
  draft,
  type EventDraft,
  type JsonPatchOperation,
  type JsonValue,
  MAX_EVENT_BYTES,
  pointerName,
} from "@turnwire/protocol";
import { jsonBytes } from "@turnwire/log";

/** Bytes of the values that one event carries, with room for their paths and its envelope. */
const PIECE_BYTES = MAX_EVENT_BYTES / 2;

/**
 * Events that set the shared state as a whole. An agent's own changes may make it larger than an
 * event can be: then an empty value comes first, and its members follow in pieces.
 */
export function sharedStateEvents(state: JsonValue): EventDraft[] {
  if (jsonBytes(state) <= PIECE_BYTES) return [draft("state_snapshot", { state })];
  const events: EventDraft[] = [draft("state_snapshot", { state: emptyLike(state) })];
  let patches: JsonPatchOperation[] = [];
  let bytes = 0;
  for (const { path, value } of membersOf("", state)) {
    const size = jsonBytes(value);
    if (patches.length > 0 && bytes + size > PIECE_BYTES) {
      events.push(draft("state_delta", { patches }));
      patches = [];
      bytes = 0;
    }
    patches.push({ op: "add", path, value });
    bytes += size + path.length;
  }
  events.push(draft("state_delta", { patches }));
  return events;
}

interface Member {
  readonly path: string;
  readonly value: JsonValue;
}

/** What an empty value must be given to become this one, in an order in which every parent comes first. */
function* membersOf(path: string, value: JsonValue): Generator<Member> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = `${path}/${pointerName(name)}`;
    if (jsonBytes(member) <= PIECE_BYTES || typeof member !== "object") {
      yield { path: at, value: member };
    } else {
      yield { path: at, value: emptyLike(member) };
      yield* membersOf(at, member);
    }
  }
}

function emptyLike(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return [];
  return typeof value === "object" ? {} : value;
}
