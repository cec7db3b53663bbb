import { limits, accepted, rejected, type Result } from "@turnwire/protocol";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Parses JSON from outside: UTF-8 only, of bounded depth and count, without keys that reach prototypes. */
export function jsonFromBytes(bytes: Uint8Array): Result<unknown> {
  const shapeProblem = problemOfShape(bytes);
  if (shapeProblem) return rejected("invalid_request", shapeProblem);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not UTF-8";
    return rejected("invalid_request", `The body is not JSON: ${reason}`);
  }
  return hasPrototypeKey(value)
    ? rejected("invalid_request", 'The key "__proto__" is not allowed.')
    : accepted(value);
}

/** Looks at the bytes before anything is made of them; the parser finds text that is not JSON at all. */
function problemOfShape(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (byte === QUOTE) {
      index = endOfString(bytes, index);
    } else if (byte === COMMA || byte === COLON) {
      values += 1;
      if (values > limits.bodyValues) return `The body has more than ${limits.bodyValues} values.`;
    } else if (OPENING.has(byte)) {
      depth += 1;
      if (depth > limits.bodyDepth)
        return `The body is nested deeper than ${limits.bodyDepth} levels.`;
    } else if (CLOSING.has(byte)) {
      depth -= 1;
    }
  }
  return undefined;
}

/** The index of the quote that ends a string; most of a large body is inside of one. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}

/** Walks without recursion and without an object per value. */
function hasPrototypeKey(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) return true;
    for (const child of Object.values(value)) {
      if (typeof child === "object" && child !== null) open.push(child);
    }
  }
  return false;
}
