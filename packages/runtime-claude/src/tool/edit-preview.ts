import { open, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { hunksOf, type Replacement, unifiedDiff } from "@turnwire/runtime";

/** Larger files are not read: a person would not read their diff either. */
const MAX_BYTES = 1024 * 1024;
/** More places than this are not shown one by one. */
const MAX_PLACES = 200;

const Edit = z.object({
  file_path: z.string(),
  old_string: z.string().min(1),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});
const Write = z.object({ file_path: z.string(), content: z.string() });

/**
 * What an edit would change, as a unified diff of the file as it is now. Undefined where that cannot
 * be known: the file is outside the directory, too large, not there, or does not have the text.
 */
export async function previewEdit(
  cwd: string,
  toolName: string,
  input: JsonObject,
): Promise<string | undefined> {
  const path = input["file_path"];
  if ((toolName !== "Edit" && toolName !== "Write") || typeof path !== "string") return undefined;
  const text = await readInside(cwd, path);
  if (text === undefined) return undefined;
  const replacements = toolName === "Edit" ? editsOf(text, input) : writeOf(text, input);
  const hunks = hunksOf(text, replacements);
  return hunks.length > 0 ? unifiedDiff(resolve(cwd, path), hunks) : undefined;
}

function editsOf(text: string, input: JsonObject): Replacement[] {
  const edit = Edit.safeParse(input).data;
  if (!edit) return [];
  const { old_string: old, new_string, replace_all = false } = edit;
  const places: Replacement[] = [];
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
    places.push({ start: at, end: at + old.length, text: new_string });
    if (places.length > MAX_PLACES) return [];
  }
  // The CLI refuses an edit that fits in several places, unless all are meant.
  return replace_all || places.length === 1 ? places : [];
}

function writeOf(text: string, input: JsonObject): Replacement[] {
  const write = Write.safeParse(input).data;
  return write ? [{ start: 0, end: text.length, text: write.content }] : [];
}

/** The text of a file, links followed, that is inside of the directory. */
async function readInside(cwd: string, path: string): Promise<string | undefined> {
  try {
    const [root, file] = await Promise.all([realpath(cwd), realpath(resolve(cwd, path))]);
    const way = relative(root, file);
    if (way === "" || way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) {
      return undefined;
    }
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      if (size > MAX_BYTES) return undefined;
      const text = await handle.readFile("utf8");
      return text.includes("\0") ? undefined : text.replaceAll("\r\n", "\n");
    } finally {
      await handle.close();
    }
  } catch {
    return undefined; // a preview is a help, and the request is shown without it
  }
}
