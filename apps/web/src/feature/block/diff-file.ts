import { parsePatch, structuredPatch, type StructuredPatch } from "diff";

export interface DiffLine {
  readonly kind: "context" | "added" | "removed";
  readonly text: string;
  /** Its number in the file before; missing for what was added. */
  readonly before?: number;
  /** Its number in the file after; missing for what was removed. */
  readonly after?: number;
}

export interface DiffHunk {
  readonly lines: readonly DiffLine[];
}

/** What has changed in one file. */
export interface DiffFile {
  readonly path: string;
  /** Where it was before, if it moved. */
  readonly oldPath?: string;
  readonly change: "added" | "removed" | "changed" | "moved";
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
}

/** An old and a new line side by side; one is missing where lines were added or removed. */
export interface DiffPair {
  readonly before?: DiffLine;
  readonly after?: DiffLine;
}

/** Texts with more changes than this count as entirely different, to bound the work. */
const MOST_EDITS = 400;
const CONTEXT = 3;
const NO_FILE = "/dev/null";

/** The files of a unified diff; undefined for any other text. */
export function diffFilesFrom(unified: string): readonly DiffFile[] | undefined {
  try {
    const files = parsePatch(unified).map(fileFrom);
    return files.length > 0 && files.every(({ path }) => path !== "") ? files : undefined;
  } catch {
    return undefined; // not a diff: it is shown as the text it is
  }
}

interface TextChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The difference between two texts of a file. */
export function diffFileFromTexts({ path, before, after }: TextChange): DiffFile {
  const options = { context: CONTEXT, maxEditLength: MOST_EDITS };
  const [left, right] = [endedText(before), endedText(after)];
  const patch = structuredPatch(path, path, left, right, undefined, undefined, options);
  const file = patch ? fileFrom(patch) : replacedFile({ path, before, after });
  return before === "" && after !== "" ? { ...file, change: "added" } : file;
}

/** Otherwise a last line without a line end would differ from the same line with one. */
function endedText(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Removed and added lines that belong together, in one row. */
export function diffPairs({ lines }: DiffHunk): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (line?.kind === "context") {
      pairs.push({ before: line, after: line });
      index += 1;
      continue;
    }
    const removed = sameKind(lines, index, "removed");
    const added = sameKind(lines, index + removed.length, "added");
    for (let place = 0; place < Math.max(removed.length, added.length); place += 1) {
      const [before, after] = [removed[place], added[place]];
      pairs.push({ ...(before && { before }), ...(after && { after }) });
    }
    index += removed.length + added.length;
  }
  return pairs;
}

function sameKind(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): DiffLine[] {
  const rest = lines.slice(start);
  const end = rest.findIndex((line) => line.kind !== kind);
  return end < 0 ? rest : rest.slice(0, end);
}

function fileFrom(patch: StructuredPatch): DiffFile {
  const before = pathFrom(patch.oldFileName);
  const after = pathFrom(patch.newFileName);
  const hunks = patch.hunks.map((hunk) => hunkFrom(hunk.lines, hunk.oldStart, hunk.newStart));
  const path = after === NO_FILE ? before : after;
  const hasMoved = before !== after && before !== NO_FILE && after !== NO_FILE;
  return {
    path,
    change: changeOf(before, after),
    ...(hasMoved && { oldPath: before }),
    hunks,
    added: count(hunks, "added"),
    removed: count(hunks, "removed"),
  };
}

function changeOf(before: string, after: string): DiffFile["change"] {
  if (before === NO_FILE) return "added";
  if (after === NO_FILE) return "removed";
  return before === after ? "changed" : "moved";
}

/** Git puts a/ and b/ before the names. */
function pathFrom(name: string | undefined): string {
  return (name ?? "").replace(/^[ab]\//, "");
}

function hunkFrom(lines: readonly string[], oldStart: number, newStart: number): DiffHunk {
  let before = oldStart;
  let after = newStart;
  const found: DiffLine[] = [];
  for (const line of lines) {
    const text = line.slice(1);
    switch (line.charAt(0)) {
      case "+":
        found.push({ kind: "added", text, after });
        after += 1;
        break;
      case "-":
        found.push({ kind: "removed", text, before });
        before += 1;
        break;
      case "\\":
        break;
      default:
        found.push({ kind: "context", text, before, after });
        before += 1;
        after += 1;
    }
  }
  return { lines: found };
}

function replacedFile({ path, before, after }: TextChange): DiffFile {
  const removed = linesOf(before).map((text, index) => ({
    kind: "removed" as const,
    text,
    before: index + 1,
  }));
  const added = linesOf(after).map((text, index) => ({
    kind: "added" as const,
    text,
    after: index + 1,
  }));
  const hunks = [{ lines: [...removed, ...added] }];
  return { path, change: "changed", hunks, added: added.length, removed: removed.length };
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function count(hunks: readonly DiffHunk[], kind: DiffLine["kind"]): number {
  return hunks.reduce(
    (sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length,
    0,
  );
}
