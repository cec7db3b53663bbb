import { readdir, rm } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Worktree } from "@turnwire/protocol";
import * as z from "zod";
import { jsonFrom, readWhole, writeWhole } from "@turnwire/log/list";

/** What outlives the server about a worktree: also of one that is half made, or was kept. */
const WorktreeRecord = z.object({
  session_id: z.string(),
  owner: z.string(),
  worktree: Worktree,
  status: z.enum(["creating", "in_use", "kept"]),
  /** Whether its branch was made by us: another of that name is not ours to remove. */
  has_branch: z.boolean(),
  created_at: z.iso.datetime(),
});
export type WorktreeRecord = z.infer<typeof WorktreeRecord>;

/** The same path always has the same id. */
export function worktreeId(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 16);
}

/** The worktrees below a directory, one file each, so that a crash harms one at most. */
export class WorktreeRecords {
  readonly #directory: string;
  readonly #onDamaged: (error: Error) => void;
  #records: Promise<Map<string, WorktreeRecord>> | undefined;

  constructor(directory: string, onDamaged: (error: Error) => void) {
    this.#directory = join(directory, ".records");
    this.#onDamaged = onDamaged;
  }

  async all(): Promise<readonly WorktreeRecord[]> {
    return [...(await this.#load()).values()];
  }

  async get(id: string): Promise<WorktreeRecord | undefined> {
    return (await this.#load()).get(id);
  }

  /** Resolves when it would outlive a crash. */
  async put(record: WorktreeRecord): Promise<void> {
    const id = worktreeId(record.worktree.path);
    const records = await this.#load();
    await writeWhole(this.#file(id), `${JSON.stringify(record, null, 2)}\n`);
    records.set(id, record);
  }

  async remove(id: string): Promise<void> {
    const records = await this.#load();
    await rm(this.#file(id), { force: true });
    records.delete(id);
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }

  #load(): Promise<Map<string, WorktreeRecord>> {
    this.#records ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the directory may be readable by then.
      this.#records = undefined;
      throw error;
    });
    return this.#records;
  }

  async #read(): Promise<Map<string, WorktreeRecord>> {
    const records = new Map<string, WorktreeRecord>();
    const names = await readdir(this.#directory).catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    });
    for (const name of names) {
      const id = /^([0-9a-f]{16})\.json$/.exec(name)?.[1];
      if (id === undefined) continue;
      const text = await readWhole(this.#file(id));
      const parsed = WorktreeRecord.safeParse(jsonFrom(text ?? ""));
      if (parsed.success && worktreeId(parsed.data.worktree.path) === id) {
        records.set(id, parsed.data);
      } else {
        this.#onDamaged(
          new Error(`What is known of a worktree is damaged, and left as it is: ${this.#file(id)}`),
        );
      }
    }
    return records;
  }
}
