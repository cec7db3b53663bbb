import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { beforePair } from "./split-draft.ts";

/** Members and levels that a preview shows of something that is too large as a whole. */
const MAX_MEMBERS = 16;
const MAX_DEPTH = 3;

/** The beginning and the end of a long text, with a line between them that says how much is left out. */
export function previewText(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, beforePair(text, Math.ceil(length / 2)));
  const tail = text.slice(beforePair(text, text.length - Math.floor(length / 2)));
  const leftOut = text.length - head.length - tail.length;
  return `${head}\n… ${amount(leftOut)} left out …\n${tail}`;
}

/** A short value of the same type: the first members, their long texts cut. */
export function previewOf(value: JsonValue, length: number, depth = 0): JsonValue {
  if (typeof value === "string") return previewText(value, length);
  if (typeof value !== "object" || value === null) return value;
  const share = Math.floor(length / MAX_MEMBERS);
  if (Array.isArray(value)) {
    const first = depth < MAX_DEPTH ? value.slice(0, MAX_MEMBERS) : [];
    return first.map((member) => previewOf(member, share, depth + 1));
  }
  const preview: JsonObject = {};
  if (depth >= MAX_DEPTH) return preview;
  for (const [name, member] of Object.entries(value).slice(0, MAX_MEMBERS)) {
    if (name.length > length) continue;
    Object.defineProperty(preview, name, {
      value: previewOf(member, share, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return preview;
}

function amount(characters: number): string {
  if (characters < 1000) return `${characters} characters`;
  if (characters < 1_000_000) return `${Math.round(characters / 1000)} kB`;
  return `${(characters / 1_000_000).toFixed(1)} MB`;
}
