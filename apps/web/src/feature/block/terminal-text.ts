import Anser from "anser";

/** A colour of the terminal's sixteen; the theme defines how it looks. */
export type TerminalColor =
  | "black"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan"
  | "white";

export interface TerminalSpan {
  readonly text: string;
  readonly color?: TerminalColor;
  readonly background?: TerminalColor;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
}

export type TerminalLine = readonly TerminalSpan[];

const ESCAPE = String.fromCodePoint(0x1b);
const BELL = String.fromCodePoint(0x07);

/** Titles, links and other commands to the terminal that end in a bell or a string terminator. */
const operatingSystemCommand = new RegExp(
  `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
  "g",
);
/** Sequences without brackets, such as the choice of a character set. */
const shortSequence = new RegExp(`${ESCAPE}[()][A-Z0-9]|${ESCAPE}[=>78cDEHM]`, "g");
const eraseLine = new RegExp(`${ESCAPE}\\[[012]?K`, "g");
/** Up a line, as progress displays do before they overwrite it. */
const cursorUp = new RegExp(`${ESCAPE}\\[(\\d*)A`);
const colorSequence = new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g");
const strayControl = new RegExp(
  `[${String.fromCodePoint(0)}-${String.fromCodePoint(8)}${String.fromCodePoint(0x0b)}${String.fromCodePoint(0x0c)}${String.fromCodePoint(0x0e)}-${String.fromCodePoint(0x1a)}${String.fromCodePoint(0x1c)}-${String.fromCodePoint(0x1f)}]`,
  "g",
);

/** What a terminal would show in the end: of overwritten lines the last version. */
export function terminalLines(output: string): readonly TerminalLine[] {
  const lines = settledLines(output);
  if (!output.includes(ESCAPE)) return lines.map((text) => (text === "" ? [] : [{ text }]));
  const spans = Anser.ansiToJson(lines.join("\n"), { use_classes: true, remove_empty: true });
  return linesOf(spans.map(spanFrom));
}

/** The lines of an output without its colours, to copy and to count. */
export function plainTerminalText(output: string): string {
  return terminalLines(output)
    .map((line) => line.map(({ text }) => text).join(""))
    .join("\n");
}

function settledLines(output: string): string[] {
  const clean = output
    .replace(operatingSystemCommand, "")
    .replace(shortSequence, "")
    .replaceAll("\r\n", "\n");
  const settled: string[] = [];
  let place = 0;
  for (const written of clean.split("\n")) {
    const up = cursorUp.exec(written);
    if (up) place = Math.max(0, place - Number(up[1] === "" ? 1 : up[1]));
    const line = overwritten(written).replace(strayControl, "");
    settled[place] = up && line === "" ? (settled[place] ?? "") : line;
    place += 1;
  }
  settled.length = Math.max(place, 0);
  if (settled.at(-1) === "") settled.pop();
  return settled;
}

/** A carriage return restarts the line; colours set before it stay. */
function overwritten(line: string): string {
  if (!line.includes("\r")) return line.replace(eraseLine, "");
  const versions = line.split("\r");
  const last = versions.findLastIndex((text) => text.replace(eraseLine, "") !== "");
  const colors = versions.slice(0, Math.max(0, last)).flatMap((text) => text.match(colorSequence));
  return `${colors.filter(Boolean).join("")}${(versions[last] ?? "").replace(eraseLine, "")}`;
}

function spanFrom(entry: Anser.AnserJsonEntry): TerminalSpan {
  const isReversed = entry.decorations.includes("reverse");
  const color = colorFrom(entry.fg, entry.fg_truecolor);
  const background = colorFrom(entry.bg, entry.bg_truecolor);
  const front = isReversed ? (background ?? "black") : color;
  const back = isReversed ? (color ?? "white") : background;
  return {
    text: entry.content,
    ...(front && { color: front }),
    ...(back && { background: back }),
    ...(entry.decorations.includes("bold") && { isBold: true }),
    ...(entry.decorations.includes("dim") && { isDim: true }),
    ...(entry.decorations.includes("italic") && { isItalic: true }),
    ...(entry.decorations.includes("underline") && { isUnderlined: true }),
  };
}

function linesOf(spans: readonly TerminalSpan[]): readonly TerminalLine[] {
  const lines: TerminalSpan[][] = [[]];
  for (const span of spans) {
    for (const [index, text] of span.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ ...span, text });
    }
  }
  return lines;
}

const named: Readonly<Record<string, TerminalColor>> = {
  black: "black",
  red: "red",
  green: "green",
  yellow: "yellow",
  blue: "blue",
  magenta: "magenta",
  cyan: "cyan",
  white: "white",
};

/** Any of the millions of colours becomes the nearest of the sixteen, which both themes keep readable. */
function colorFrom(name: string | null, rgb: string | null): TerminalColor | undefined {
  if (name === null) return undefined;
  if (name === "ansi-truecolor") return nearest((rgb ?? "").split(",").map(Number));
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  if (palette !== undefined) return nearest(paletteColor(Number(palette)));
  return named[name.replace(/^ansi-(bright-)?/, "")];
}

/** The terminal's 216 colours and 24 greys. */
function paletteColor(index: number): readonly number[] {
  if (index >= 232) return [0, 0, 0].map(() => 8 + (index - 232) * 10);
  const place = index - 16;
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) =>
    level === 0 ? 0 : 55 + level * 40,
  );
}

function nearest([red = 0, green = 0, blue = 0]: readonly number[]): TerminalColor {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) return most > 100 ? "white" : "black";
  const half = (most + least) / 2;
  const key = [red, green, blue].map((level) => (level > half ? "1" : "0")).join("");
  return byChannels[key] ?? "white";
}

const byChannels: Readonly<Record<string, TerminalColor>> = {
  "100": "red",
  "010": "green",
  "110": "yellow",
  "001": "blue",
  "101": "magenta",
  "011": "cyan",
};
