import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** What stands before the text never takes the last columns from it. */
const NARROWEST = 8;

/** Breaks styled text into lines of at most `width` columns; `first` and `rest` stand before the first and all later lines. */
export function wrap(
  text: string,
  width: number,
  { first = "", rest = first }: { first?: string; rest?: string } = {},
): string[] {
  const room = Math.max(
    Math.min(NARROWEST, width),
    width - Math.max(stringWidth(first), stringWidth(rest)),
  );
  const lines =
    room === Infinity ? text.split("\n") : wrapAnsi(text, room, { hard: true }).split("\n");
  return lines.map((line, index) => `${index === 0 ? first : rest}${line}`);
}

/** Cuts plain text to `width` columns, with an ellipsis where something is missing. */
export function truncate(text: string, width: number): string {
  if (width === Infinity || stringWidth(text) <= width) return text;
  let used = 0;
  let kept = "";
  for (const character of text) {
    used += stringWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Fills styled text with blanks up to `width` columns. */
export function pad(text: string, width: number, alignment: "left" | "right" | "center" = "left") {
  const missing = Math.max(0, width - stringWidth(text));
  if (alignment === "right") return " ".repeat(missing) + text;
  if (alignment === "left") return text + " ".repeat(missing);
  const before = Math.floor(missing / 2);
  return " ".repeat(before) + text + " ".repeat(missing - before);
}
