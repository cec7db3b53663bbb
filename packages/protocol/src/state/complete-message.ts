import type { JsonObject } from "../json/json.ts";

/** The text of one part of a finished message; empty for thinking, tool uses and whatever else it is. */
export function partText(part: JsonObject): string {
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : "";
}
