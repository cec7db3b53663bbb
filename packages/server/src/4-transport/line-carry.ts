import { isObject } from "@turnwire/base";

/** What clients send; anything else in a frame may be a part of a line. */
const KNOWN: ReadonlySet<unknown> = new Set([
  "user",
  "control_request",
  "control_response",
  "keep_alive",
]);

/** Cuts what a peer sends into lines: several in one frame, or one in several. */
export class LineCarry {
  #rest = "";

  /**
   * The whole lines so far. A frame without a line break is a line of its own if it is whole, and
   * then what had begun before it will not be completed any more.
   */
  take(text: string): string[] {
    if (!text.includes("\n") && isWhole(text, this.#rest === ""))
      return [this.drop(), text].filter(isLine);
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter(isLine);
  }

  get length(): number {
    return this.#rest.length;
  }

  /** Forgets what has begun, and gives it back. */
  drop(): string {
    const rest = this.#rest;
    this.#rest = "";
    return rest;
  }
}

function isLine(text: string): boolean {
  return text.trim() !== "";
}

/** Parses this frame only, never what has piled up: the work stays proportional to what is sent. */
function isWhole(text: string, isFirst: boolean): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && (isFirst || KNOWN.has(value["type"]));
  } catch {
    return false;
  }
}
