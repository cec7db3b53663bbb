import { draft, type EventDraft, JsonValue } from "@turnwire/protocol";
import { inspect } from "node:util";

/** A message that is kept as it is, because its meaning is unknown here. */
export function nativeEvent(message: unknown): EventDraft {
  const json = JsonValue.safeParse(message);
  const payload = json.success ? json.data : inspect(message);
  return draft("native", { source: "claude", payload });
}
