import { draft, eventData, type EventDraft, type JsonValue } from "@turnwire/protocol";

/**
 * The draft itself if it is what its type promises, else the same content as `native`: nothing is
 * lost, and no reader meets data that it cannot fold. Drafts that come by the thousand are checked by
 * hand, because their schemas walk through whole outputs.
 */
export function wellFormed(offered: EventDraft, runtime: string): EventDraft {
  return isWellFormed(offered) ? offered : asNative(offered, runtime);
}

function isWellFormed(offered: EventDraft): boolean {
  // The type is only a claim of whoever wrote the normalizer.
  const { type, data, turn_id, subagent_id }: Record<string, unknown> = { ...offered };
  if (!isText(turn_id ?? "") || !isText(subagent_id ?? "")) return false;
  if (typeof type !== "string" || !Object.hasOwn(eventData, type)) return false;
  if (typeof data !== "object" || data === null) return false;
  const field: Record<string, unknown> = { ...data };
  switch (offered.type) {
    case "delta":
      return isText(field["message_id"]) && isText(field["text"]);
    case "tool_output":
      return isText(field["tool_use_id"]) && isText(field["text"]);
    case "tool_input_delta":
      return isText(field["tool_use_id"]) && isText(field["tool"]) && isText(field["partial_json"]);
    case "tool_result":
      return (
        isText(field["tool_use_id"]) &&
        field["output"] !== undefined &&
        typeof field["is_error"] === "boolean"
      );
    case "native":
      return isText(field["source"]) && field["payload"] !== undefined;
    default:
      return eventData[offered.type].safeParse(data).success;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function asNative(offered: unknown, runtime: string): EventDraft {
  return draft("native", { source: runtime, payload: { malformed: jsonOf(offered) } });
}

/** A copy that JSON can carry. */
function jsonOf(value: unknown): JsonValue {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    // Nested too deep, or with a cycle: there is no copy that JSON could carry.
    return String(value);
  }
}
