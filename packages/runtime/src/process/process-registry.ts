import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { type Clock, systemClock } from "@turnwire/base";
import { endGroup, type GroupIdentity } from "./process-group.ts";
import { type ProcessTable, systemProcessTable } from "./process-table.ts";

const RegisteredProcess = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  mark: z.string(),
  command: z.string(),
  sessionId: z.string().optional(),
  /** The server that started it. */
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }),
});
export type RegisteredProcess = z.infer<typeof RegisteredProcess>;

const RegistryFile = z.object({ processes: z.array(RegisteredProcess) });

export interface ProcessRegistryOptions {
  readonly dataDirectory: string;
  readonly clock?: Clock;
  readonly table?: ProcessTable;
  /** How long leftovers may take to go after SIGTERM, and after SIGKILL. */
  readonly termMs?: number;
  readonly killMs?: number;
}

/** What a dead server had left behind. */
export interface ReapReport {
  /** Agents of which something was still running, and is not any more. */
  readonly ended: readonly RegisteredProcess[];
  /** Agents of which something would not go; they stay registered. */
  readonly remaining: readonly RegisteredProcess[];
  /** For people: why earlier entries could not be read. */
  readonly problem?: string;
}

/** Reads what is registered in the data directory; a file that makes no sense is put aside. */
export async function openProcessRegistry(
  options: ProcessRegistryOptions,
): Promise<ProcessRegistry> {
  const path = join(options.dataDirectory, "agents.json");
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const table = options.table ?? systemProcessTable();
  const self = await table.find(process.pid);
  const owner = { pid: process.pid, startTime: self?.startTime ?? "" };
  return new ProcessRegistry({ ...options, table, path, owner, ...(await readEntries(path)) });
}

interface RegistryParts extends ProcessRegistryOptions {
  readonly table: ProcessTable;
  readonly path: string;
  readonly owner: RegisteredProcess["owner"];
  readonly entries: readonly RegisteredProcess[];
  readonly problem?: string;
}

/** The agents that run, in a file: what a server that dies leaves there, the next one ends. */
export class ProcessRegistry {
  readonly #parts: RegistryParts;
  readonly #entries: Map<string, RegisteredProcess>;
  #saving: Promise<void> = Promise.resolve();
  #nextSave: Promise<void> | undefined;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.#entries = new Map(parts.entries.map((entry) => [entry.mark, entry]));
  }

  /** Resolves when the entry is in the file. */
  async add(entry: Omit<RegisteredProcess, "owner">): Promise<void> {
    this.#entries.set(entry.mark, { ...entry, owner: this.#parts.owner });
    await this.#save();
  }

  async remove({ mark }: GroupIdentity): Promise<void> {
    if (this.#entries.delete(mark)) await this.#save();
  }

  /** Ends what earlier servers left running; the agents of a server that lives are left alone. */
  async reapLeftovers(): Promise<ReapReport> {
    const ended: RegisteredProcess[] = [];
    const remaining: RegisteredProcess[] = [];
    const reap = async (entry: RegisteredProcess): Promise<void> => {
      if (await this.#isAlive(entry.owner)) return;
      const { found, survivors } = await this.#end(entry);
      if (survivors.length > 0) {
        remaining.push(entry);
        return;
      }
      this.#entries.delete(entry.mark);
      if (found > 0) ended.push(entry);
    };
    await Promise.all(this.#parts.entries.map(reap));
    if (this.#parts.entries.length > 0) await this.#save();
    const { problem } = this.#parts;
    return { ended, remaining, ...(problem !== undefined && { problem }) };
  }

  async #isAlive({ pid, startTime }: RegisteredProcess["owner"]): Promise<boolean> {
    const found = await this.#parts.table.find(pid);
    return found !== undefined && !found.isZombie && found.startTime === startTime;
  }

  #end(entry: RegisteredProcess): ReturnType<typeof endGroup> {
    const { table, clock = systemClock, termMs = 2000, killMs = 2000 } = this.#parts;
    return endGroup(entry, {
      table,
      clock,
      termMs,
      killMs,
      // The pid was not watched meanwhile, so only the same start time proves that it is not reused.
      ownsGroup: (leader) => leader?.startTime === entry.startTime,
    });
  }

  /** Writes the file once for all changes that came while it was being written. */
  #save(): Promise<void> {
    this.#nextSave ??= this.#afterCurrentSave();
    return this.#nextSave;
  }

  async #afterCurrentSave(): Promise<void> {
    await this.#saving.catch(() => undefined);
    this.#nextSave = undefined;
    this.#saving = this.#write();
    await this.#saving;
  }

  async #write(): Promise<void> {
    const { path } = this.#parts;
    const draft = `${path}.tmp`;
    const text = JSON.stringify({ processes: [...this.#entries.values()] });
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  }
}

async function readEntries(path: string): Promise<Pick<RegistryParts, "entries" | "problem">> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { entries: [] };
    throw error;
  }
  try {
    return { entries: RegistryFile.parse(JSON.parse(text)).processes };
  } catch {
    const aside = `${path}.broken`;
    await rename(path, aside);
    const problem = `${path} could not be read and is now ${aside}. Agents it named may still run.`;
    return { entries: [], problem };
  }
}
