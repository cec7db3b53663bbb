import type { JsonObject, JsonValue } from "@turnwire/protocol";

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON as a person reads it: a text as it is, everything else as JSON. */
export function textFromJson(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a person typed: JSON where it is JSON, else the words themselves. */
export function jsonFromText(text: string): JsonValue {
  try {
    // JSON.parse gives JSON values only.
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
