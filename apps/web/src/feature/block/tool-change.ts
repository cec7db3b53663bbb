import { isObject } from "@turnwire/base";
import type { JsonObject, ToolBlock } from "@turnwire/protocol";
import { diffFileFromTexts, diffFilesFrom, type DiffFile } from "./diff-file.ts";

/** The files that a tool changes, with their lines where those are known; undefined for tools that change none. */
export function changedFiles({
  tool,
  input,
  diff,
}: Pick<ToolBlock, "tool" | "input" | "diff">): readonly DiffFile[] | undefined {
  const known = diff === undefined ? undefined : diffFilesFrom(diff);
  if (known) return known;
  if (!isObject(input)) return undefined;
  return fromEdits(input) ?? fromWrite(tool, input) ?? fromChanges(input);
}

/** One edit, or several in a row, of a file. */
function fromEdits(input: JsonObject): readonly DiffFile[] | undefined {
  const path = textAt(input, "file_path");
  if (path === undefined) return undefined;
  const list = Array.isArray(input["edits"]) ? input["edits"] : [input];
  const edits = list.flatMap((edit) => {
    if (!isObject(edit)) return [];
    const before = textAt(edit, "old_string");
    const after = textAt(edit, "new_string");
    return before === undefined || after === undefined
      ? []
      : [withoutNumbers(diffFileFromTexts({ path, before, after }))];
  });
  return edits.length > 0 ? [joined(edits)] : undefined;
}

/** The place of an edit in its file is not known by its strings: better no number than a wrong one. */
function withoutNumbers(file: DiffFile): DiffFile {
  const hunks = file.hunks.map(({ lines }) => ({
    lines: lines.map(({ kind, text }) => ({ kind, text })),
  }));
  return { ...file, hunks };
}

function joined(files: readonly DiffFile[]): DiffFile {
  const [first] = files;
  if (!first) throw new Error("There is at least one edit.");
  return {
    ...first,
    hunks: files.flatMap(({ hunks }) => hunks),
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}

function fromWrite(tool: string, input: JsonObject): readonly DiffFile[] | undefined {
  const path = textAt(input, "file_path");
  const after = textAt(input, "content");
  if (!/write/i.test(tool) || path === undefined || after === undefined) return undefined;
  return [diffFileFromTexts({ path, before: "", after })];
}

/** Codex: a list of files, with a diff without names for what it updates and the whole text otherwise. */
function fromChanges(input: JsonObject): readonly DiffFile[] | undefined {
  const { changes } = input;
  if (!Array.isArray(changes)) return undefined;
  const files = changes.flatMap((change) => {
    const path = isObject(change) ? textAt(change, "path") : undefined;
    const diff = isObject(change) ? textAt(change, "diff") : undefined;
    if (!isObject(change) || path === undefined || diff === undefined) return [];
    return [codexFile(path, diff, change)];
  });
  return files.length > 0 ? files : undefined;
}

function codexFile(path: string, diff: string, change: JsonObject): DiffFile {
  const target = textAt(change, "move_path") ?? path;
  const named = `--- ${path}\n+++ ${target}\n${diff}`;
  const parsed = diff.startsWith("@@") ? diffFilesFrom(named)?.[0] : diffFilesFrom(diff)?.[0];
  if (parsed) return parsed;
  return change["kind"] === "delete"
    ? { ...diffFileFromTexts({ path, before: diff, after: "" }), change: "removed" }
    : diffFileFromTexts({ path, before: "", after: diff });
}

function textAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}
