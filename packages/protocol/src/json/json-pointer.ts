import type { JsonValue } from "./json.ts";

/** The value at a JSON Pointer; undefined where there is none. */
export function valueAt(document: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const name of pointerNames(pointer)) {
    value = childOf(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

/** The document with another value at a JSON Pointer; the same document where the pointer leads nowhere. */
export function replaceAt(document: JsonValue, pointer: string, value: JsonValue): JsonValue {
  return replaceIn(document, pointerNames(pointer), value);
}

/** The first names of a JSON Pointer, such as the field an attachment belongs to. */
export function pointerNames(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A name as a JSON Pointer writes it. */
export function pointerName(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

function replaceIn(document: JsonValue, names: readonly string[], value: JsonValue): JsonValue {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  const child = childOf(document, name);
  if (child === undefined) return document;
  const replaced = replaceIn(child, rest, value);
  if (Array.isArray(document)) return document.with(Number(name), replaced);
  return { ...(document as { [key: string]: JsonValue }), [name]: replaced };
}

function childOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
