import type { Clock } from "@turnwire/base";
import { limits } from "@turnwire/protocol";
import type { ProjectRecord, ProjectStore } from "./project-store.ts";

export interface ProjectRecordsOptions {
  readonly store: ProjectStore | undefined;
  readonly clock: Clock;
  /** A directory that is a project from the beginning. */
  readonly first: () => Promise<string | undefined>;
  readonly onChanged: () => void;
}

/** The projects that were added, newest first: read once, and stored with each change before it counts. */
export class ProjectRecords {
  readonly #options: ProjectRecordsOptions;
  #records: Promise<readonly ProjectRecord[]> | undefined;
  /** One change after the other: each begins with what the one before has stored. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectRecordsOptions) {
    this.#options = options;
  }

  load(): Promise<readonly ProjectRecord[]> {
    this.#records ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the file may be readable by then.
      this.#records = undefined;
      throw error;
    });
    return this.#records;
  }

  /** The record of a directory, new or not; undefined where there are too many. */
  add(path: string): Promise<{ record: ProjectRecord; isNew: boolean } | undefined> {
    return this.#change(async (records) => {
      const known = records.find((record) => record.path === path);
      if (known) return { record: known, isNew: false };
      if (records.length >= limits.projects) return undefined;
      const record = this.#recordOf(path);
      await this.#save([record, ...records]);
      return { record, isNew: true };
    });
  }

  /** Whether there were such. */
  remove(isRemoved: (record: ProjectRecord) => boolean): Promise<boolean> {
    return this.#change(async (records) => {
      const rest = records.filter((record) => !isRemoved(record));
      if (rest.length === records.length) return false;
      await this.#save(rest);
      return true;
    });
  }

  #change<Value>(change: (records: readonly ProjectRecord[]) => Promise<Value>): Promise<Value> {
    const changed = this.#changing.then(async () => change(await this.load()));
    // Whoever asked for it gets the error; the next one is not kept from trying.
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #save(records: readonly ProjectRecord[]): Promise<void> {
    await this.#options.store?.save(records);
    this.#records = Promise.resolve(records);
    this.#options.onChanged();
  }

  async #read(): Promise<readonly ProjectRecord[]> {
    const { store, first } = this.#options;
    if (!store) return [];
    const records = await store.load();
    const path = await first();
    if (path === undefined || records.some((record) => record.path === path)) return records;
    const all = [this.#recordOf(path), ...records];
    await store.save(all);
    return all;
  }

  #recordOf(path: string): ProjectRecord {
    return { path, added_at: new Date(this.#options.clock.now()).toISOString() };
  }
}
