/** A piece of a text that is replaced. */
export interface Replacement {
  /** Where the piece begins and ends, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines that changed together, with their numbers in the file before and after. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each with its sign: a blank, `-` or `+`. */
  readonly lines: readonly string[];
}

const CONTEXT = 3;

/** The change of one file as a unified diff. */
export function unifiedDiff(path: string, hunks: readonly Hunk[]): string {
  const parts = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) =>
    [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines].join("\n"),
  );
  return [`--- ${path}`, `+++ ${path}`, ...parts, ""].join("\n");
}

/** Some lines that are replaced by others. */
interface LineChange {
  /** The first line, counted from 0, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** The hunks of pieces of a text that are replaced, in their order. */
export function hunksOf(text: string, replacements: readonly Replacement[]): Hunk[] {
  const lines = linesOf(text);
  const groups: LineChange[][] = [];
  for (const change of joined(replacements.map((one) => lineChange(text, one)))) {
    const [group, last] = [groups.at(-1), groups.at(-1)?.at(-1)];
    if (group && last && change.from - last.to <= 2 * CONTEXT) group.push(change);
    else groups.push([change]);
  }
  let shift = 0;
  return groups.map((group) => {
    const hunk = hunkOf(lines, group, shift);
    shift += hunk.newLines - hunk.oldLines;
    return hunk;
  });
}

/** Whole lines: what stands before and behind the piece on its lines belongs to the change. */
function lineChange(text: string, { start, end, text: replacement }: Replacement): LineChange {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const endsAtLineStart = end > start && text[end - 1] === "\n" && replacement.endsWith("\n");
  const newline = text.indexOf("\n", end);
  const lineEnd = endsAtLineStart ? end - 1 : newline < 0 ? text.length : newline;
  const whole = text.slice(lineStart, start) + replacement + text.slice(end, lineEnd);
  const before = text.slice(lineStart, lineEnd);
  const from = lineNumber(text, lineStart);
  return trimmed({
    from,
    old: linesOf(before),
    next: linesOf(endsAtLineStart ? whole.slice(0, -1) : whole),
  });
}

/** Without the lines that are the same at both ends. */
function trimmed({
  from,
  old,
  next,
}: {
  from: number;
  old: readonly string[];
  next: readonly string[];
}): LineChange {
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return {
    from: from + head,
    to: from + old.length - tail,
    lines: next.slice(head, next.length - tail),
  };
}

/** Two pieces of one line would change that line twice: then nothing is shown. */
function joined(changes: readonly LineChange[]): readonly LineChange[] {
  const isApart = changes.every(({ from }, index) => from >= (changes[index - 1]?.to ?? 0));
  return isApart ? changes : [];
}

function hunkOf(lines: readonly string[], group: readonly LineChange[], shift: number): Hunk {
  const first = Math.max(0, (group[0]?.from ?? 0) - CONTEXT);
  const last = Math.min(lines.length, (group.at(-1)?.to ?? 0) + CONTEXT);
  const shown: string[] = [];
  let at = first;
  for (const { from, to, lines: added } of group) {
    shown.push(...lines.slice(at, from).map((line) => ` ${line}`));
    shown.push(...lines.slice(from, to).map((line) => `-${line}`));
    shown.push(...added.map((line) => `+${line}`));
    at = to;
  }
  shown.push(...lines.slice(at, last).map((line) => ` ${line}`));
  const oldLines = last - first;
  const newLines = shown.filter((line) => !line.startsWith("-")).length;
  return {
    oldStart: oldLines === 0 ? first : first + 1,
    oldLines,
    newStart: (newLines === 0 ? first : first + 1) + shift,
    newLines,
    lines: shown,
  };
}

function lineNumber(text: string, position: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}

/** A newline ends a line: behind the last one there is none. */
function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
