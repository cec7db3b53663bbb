import { isObject } from "@turnwire/base";

/** A line as it came, and what it says in JSON; undefined where it is none. */
export interface RelayText {
  readonly text: string;
  readonly value: unknown;
}

/** A line that has begun may not grow beyond this. */
const LONGEST_REST = 32 * 1024 * 1024;

/**
 * The lines of a frame, after the rest of the one before. Relays end lines with a newline or with
 * the frame, and may cut them anywhere; a rest that the next frame does not continue is a line of its own.
 */
export function linesFrom(
  rest: string,
  frame: string,
): { readonly rest: string; readonly lines: readonly RelayText[] } {
  const lines: RelayText[] = [];
  const add = (text: string): void => {
    if (text.trim() !== "") lines.push({ text, value: valueOf(text) });
  };
  let begun = rest;
  if (begun !== "" && startsAnew(begun, frame)) {
    add(begun);
    begun = "";
  }
  const pieces = `${begun}${frame}`.split("\n");
  const last = pieces.pop() ?? "";
  for (const piece of pieces) add(piece);
  const value = valueOf(last);
  if (value !== undefined) lines.push({ text: last, value });
  const isWhole = value !== undefined || last.trim() === "";
  if (isWhole || last.length <= LONGEST_REST) return { rest: isWhole ? "" : last, lines };
  add(last);
  return { rest: "", lines };
}

/** Whether the frame's first line is whole, and no object inside the line that was begun. */
function startsAnew(begun: string, frame: string): boolean {
  const end = frame.indexOf("\n");
  const first = end < 0 ? frame : frame.slice(0, end);
  const value = valueOf(first);
  return isObject(value) && "type" in value && valueOf(begun + first) === undefined;
}

/** Only objects: a number or a word may as well be the middle of something. */
function valueOf(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
