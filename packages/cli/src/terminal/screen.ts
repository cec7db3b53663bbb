import type { Writable } from "node:stream";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a person types, and where the cursor stands in it. */
export interface InputLine {
  /** Styled text in front of the input. */
  readonly mark: string;
  readonly text: string;
  /** Counted in UTF-16 units, as readline does. */
  readonly cursor: number;
}

/** The foot of the screen: redrawn again and again, below everything that is final. */
export interface Foot {
  readonly live: readonly string[];
  readonly status: readonly string[];
  readonly input: InputLine | undefined;
}

interface Drawn {
  /** Widths of the rows, to find them again after the terminal was resized. */
  readonly widths: readonly number[];
  readonly cursorRow: number;
  readonly cursorColumn: number;
}

const nothingDrawn: Drawn = { widths: [], cursorRow: 0, cursorColumn: 0 };
const BEGIN_UPDATE = "\u001b[?2026h\u001b[?25l";
const END_UPDATE = "\u001b[?25h\u001b[?2026l";
const CLEAR_BELOW = "\u001b[J";

const up = (rows: number): string => (rows > 0 ? `\u001b[${rows}A` : "");
const toColumn = (column: number): string => `\u001b[${column + 1}G`;

/** Rows of text that each fit the screen. */
function rowsOf(line: string, columns: number): string[] {
  return stringWidth(line) < columns
    ? [line]
    : wrapAnsi(line, columns - 1, { hard: true, trim: false, wordWrap: false }).split("\n");
}

/** Cuts the input into rows and finds the cursor in them. */
function layInput({ mark, text, cursor }: InputLine, columns: number) {
  const rows = [mark];
  let width = stringWidth(mark);
  let position = 0;
  let place = { row: 0, column: width };
  for (const character of text) {
    const size = stringWidth(character);
    if (width + size >= columns) {
      rows.push("");
      width = 0;
    }
    if (position === cursor) place = { row: rows.length - 1, column: width };
    rows[rows.length - 1] += character;
    width += size;
    position += character.length;
  }
  if (cursor >= position) place = { row: rows.length - 1, column: width };
  return { rows, ...place };
}

/**
 * A terminal that scrolls: lines go in above the foot and are final; the foot is redrawn below them.
 * It only ever moves up within its own foot, so what is above stays as it was, also in the scrollback.
 */
export class Screen {
  readonly #output: Writable;
  readonly #size: () => ScreenSize;
  #drawn: Drawn = nothingDrawn;

  constructor(output: Writable, size: () => ScreenSize) {
    this.#output = output;
    this.#size = size;
  }

  draw(lines: readonly string[], foot: Foot): void {
    const { columns, rows: height } = this.#size();
    const input = foot.input && layInput(foot.input, columns);
    const below = [...foot.status.flatMap((line) => rowsOf(line, columns)), ...(input?.rows ?? [])];
    const room = height - 1 - below.length;
    const live = foot.live.flatMap((line) => rowsOf(line, columns));
    const rows = [...(room > 0 ? live.slice(-room) : []), ...below].slice(-height);
    const cursorRow = input
      ? rows.length - input.rows.length + input.row
      : Math.max(0, rows.length - 1);
    const column = input?.column ?? stringWidth(rows.at(-1) ?? "");
    this.#output.write(
      BEGIN_UPDATE +
        this.#toFoot(columns) +
        CLEAR_BELOW +
        lines.map((line) => `${line}\r\n`).join("") +
        rows.join("\r\n") +
        up(rows.length - 1 - cursorRow) +
        toColumn(column) +
        END_UPDATE,
    );
    const widths = rows.map((row) => stringWidth(row));
    this.#drawn = { widths, cursorRow, cursorColumn: column };
  }

  /** Takes the foot away and leaves the cursor on a line of its own. */
  clear(): void {
    this.#output.write(this.#toFoot(this.#size().columns) + CLEAR_BELOW + "\u001b[?25h");
    this.#drawn = nothingDrawn;
  }

  /** To the first row of the foot; a terminal that became narrower has wrapped its rows again. */
  #toFoot(columns: number): string {
    const { widths, cursorRow, cursorColumn } = this.#drawn;
    const above = widths
      .slice(0, cursorRow)
      .map((width) => Math.max(1, Math.ceil(width / columns)));
    const rows = above.reduce((sum, count) => sum + count, Math.floor(cursorColumn / columns));
    return `\r${up(rows)}`;
  }
}
