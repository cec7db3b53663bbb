import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import * as z from "zod";

/** A thread in the home that a person uses Codex with, as far as its file shows. */
export interface PersonalThread {
  readonly id: string;
  readonly cwd: string;
  readonly preview: string | undefined;
  /** In seconds, as Codex counts. */
  readonly updatedAt: number;
  readonly isArchived: boolean;
}

interface ThreadFile {
  readonly path: string;
  readonly id: string;
  readonly isArchived: boolean;
}

/** More than the first words of a thread is not read to list it: instructions come before them. */
const maxHeadBytes = 256 * 1024;

const fileName =
  /^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

/** The threads in a home, newest first. Only reads: nothing in the home changes. */
export async function listPersonalThreads(home: string, limit: number): Promise<PersonalThread[]> {
  const files = (await findThreadFiles(home)).slice(0, limit);
  const threads = await Promise.all(files.map(readThread));
  return threads.filter((thread) => thread !== undefined);
}

/** Copies a thread's file from one home into another; answers where the thread works, if there is one. */
export async function copyThread(
  id: string,
  homes: { readonly from: string; readonly to: string },
): Promise<PersonalThread | undefined> {
  const file = (await findThreadFiles(homes.from)).find((found) => found.id === id);
  const thread = file && (await readThread(file));
  if (!file || !thread) return undefined;
  // Out of the archive: whoever imports a thread means to continue it.
  const folder = file.isArchived ? "sessions" : dirname(relative(homes.from, file.path));
  const name = relative(dirname(file.path), file.path);
  const target = join(homes.to, folder, name);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await copyFile(file.path, target, constants.COPYFILE_FICLONE);
  return thread;
}

/** The names begin with the time, so that the newest comes first. Links are not followed. */
async function findThreadFiles(home: string): Promise<ThreadFile[]> {
  const lists = await Promise.all(
    ["sessions", "archived_sessions"].map(async (folder) => {
      const place = join(home, folder);
      const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      return entries.flatMap((entry): (ThreadFile & { name: string })[] => {
        const id = fileName.exec(entry.name)?.[1];
        if (!entry.isFile() || id === undefined) return [];
        const path = join(entry.parentPath, entry.name);
        return [{ path, id, name: entry.name, isArchived: folder === "archived_sessions" }];
      });
    }),
  );
  return lists.flat().toSorted((left, right) => (left.name < right.name ? 1 : -1));
}

/** Sub-agents have another source; they belong to the thread above. */
const Meta = z.object({
  type: z.literal("session_meta"),
  payload: z.object({ id: z.string(), cwd: z.string(), source: z.string().optional() }),
});
const Texts = z.array(z.looseObject({ text: z.string().optional() }));
const Prompt = z.object({
  type: z.literal("event_msg"),
  payload: z.union([
    z.object({ type: z.literal("user_message"), message: z.string() }),
    z.object({
      type: z.literal("item_completed"),
      item: z.object({ type: z.literal("UserMessage"), content: Texts }),
    }),
  ]),
});

async function readThread(file: ThreadFile): Promise<PersonalThread | undefined> {
  try {
    const [head, { mtimeMs }] = await Promise.all([readHead(file.path), stat(file.path)]);
    const [first, ...lines] = head.split("\n").map(jsonFrom);
    const meta = Meta.safeParse(first);
    if (!meta.success || meta.data.payload.id !== file.id) return undefined;
    const { id, cwd } = meta.data.payload;
    const prompt = lines.map((line) => Prompt.safeParse(line).data).find(Boolean);
    const preview = prompt && wordsOf(prompt).trim();
    const updatedAt = Math.floor(mtimeMs / 1000);
    return { id, cwd, preview: preview || undefined, updatedAt, isArchived: file.isArchived };
  } catch {
    // It went away, or may not be read: then it is not a thread of ours.
    return undefined;
  }
}

function wordsOf({ payload }: z.infer<typeof Prompt>): string {
  return payload.type === "user_message"
    ? payload.message
    : payload.item.content.map(({ text = "" }) => text).join("");
}

async function readHead(path: string): Promise<string> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeadBytes), 0, maxHeadBytes, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function jsonFrom(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The head was cut within it.
    return undefined;
  }
}
