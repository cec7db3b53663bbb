import { isObject } from "@turnwire/base";

/** What clients send; anything else in a frame may be a part of a line. */
const FROM_CLIENTS = ["user", "control_request", "control_response", "keep_alive"];

/** Cuts what a peer sends into lines: several in one frame, or one in several. */
export class LineCarry {
  readonly #known: ReadonlySet<unknown>;
  readonly #isStrict: boolean;
  #rest = "";
  #isSkipping = false;

  /** `known` are the types of the lines that the peer sends; `isStrict`: a piece that does not begin like a line is one by itself. */
  constructor(known: readonly string[] = FROM_CLIENTS, { isStrict = false } = {}) {
    this.#known = new Set(known);
    this.#isStrict = isStrict;
  }

  /**
   * The whole lines so far. A frame without a line break is a line of its own if it is whole, and
   * then what had begun before it will not be completed any more.
   */
  take(text: string): string[] {
    if (!text.includes("\n")) return this.#takePiece(text);
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#isSkipping) lines.shift();
    this.#isSkipping = false;
    return lines.filter(isLine);
  }

  get length(): number {
    return this.#rest.length;
  }

  /** Drops the line that has begun, all of it; its length so far. */
  skip(): number {
    const { length } = this.#rest;
    this.#rest = "";
    this.#isSkipping = true;
    return length;
  }

  /** Looks at this frame only, never at what has piled up: the work stays proportional to what is sent. */
  #takePiece(text: string): string[] {
    const isFirst = this.#rest === "" && !this.#isSkipping;
    if (isFirst && this.#isStrict && !text.trimStart().startsWith("{"))
      return [text].filter(isLine);
    if (isWhole(text, isFirst ? undefined : this.#known)) {
      const lines = [this.#rest, text].filter(isLine);
      this.#rest = "";
      this.#isSkipping = false;
      return lines;
    }
    if (!this.#isSkipping) this.#rest += text;
    return [];
  }
}

function isLine(text: string): boolean {
  return text.trim() !== "";
}

/** Whether a text is a JSON object, where `known` is given of one of these types. */
function isWhole(text: string, known: ReadonlySet<unknown> | undefined): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && (!known || known.has(value["type"]));
  } catch {
    return false;
  }
}
