import { isDeepStrictEqual } from "node:util";
import { type Clock, detach } from "@turnwire/base";
import { limits } from "@turnwire/protocol";
import { changeList, type ListChange } from "@turnwire/log/list";
import type { ProjectRecord, ProjectStore } from "./project-store.ts";

export interface ProjectRecordsOptions {
  readonly store: ProjectStore | undefined;
  readonly clock: Clock;
  /** A directory that is a project from the beginning. */
  readonly first: () => Promise<string | undefined>;
  readonly onChanged: () => void;
  readonly onError: (error: unknown) => void;
}

type Records = readonly ProjectRecord[];

/**
 * The projects that were added, newest first: read once, or each time where other hosts change them too,
 * and stored with each change before it counts.
 */
export class ProjectRecords {
  readonly #options: ProjectRecordsOptions;
  readonly #stopWatch: (() => void) | undefined;
  #loading: Promise<Records> | undefined;
  #hasBegun = false;
  /** As they were when they were first read, or a change was last reported. */
  #reported: Records | undefined;
  /** One change after the other: each begins with what the one before has stored. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: ProjectRecordsOptions) {
    this.#options = options;
    const { store, onError } = options;
    this.#stopWatch = store?.subscribe?.(() => detach(this.#reload(), onError));
  }

  load(): Promise<Records> {
    if (this.#options.store?.subscribe) return this.#read();
    this.#loading ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the file may be readable by then.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** The record of a directory, new or not; undefined where there are too many. */
  add(path: string): Promise<{ record: ProjectRecord; isNew: boolean } | undefined> {
    return this.#change<{ record: ProjectRecord; isNew: boolean } | undefined>((records) => {
      const known = records.find((record) => record.path === path);
      if (known) return { value: { record: known, isNew: false } };
      if (records.length >= limits.projects) return { value: undefined };
      const record = this.#recordOf(path);
      return { items: [record, ...records], value: { record, isNew: true } };
    });
  }

  /** Whether there were such. */
  remove(isRemoved: (record: ProjectRecord) => boolean): Promise<boolean> {
    return this.#change((records) => {
      const rest = records.filter((record) => !isRemoved(record));
      if (rest.length === records.length) return { value: false };
      return { items: rest, value: true };
    });
  }

  close(): void {
    this.#stopWatch?.();
  }

  #change<Value>(change: (records: Records) => ListChange<ProjectRecord, Value>): Promise<Value> {
    const store = {
      load: () => this.load(),
      save: (records: Records, before: Records) => this.#save(records, before),
    };
    const changed = this.#changing.then(() => changeList(store, change));
    // Whoever asked for it gets the error; the next one is not kept from trying.
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #save(records: Records, before: Records): Promise<boolean> {
    if ((await this.#options.store?.save(records, before)) === false) return false;
    this.#loading = Promise.resolve(records);
    this.#report(records);
    return true;
  }

  /** Another host may have changed them. */
  async #reload(): Promise<void> {
    const records = await this.load();
    if (!isDeepStrictEqual(records, this.#reported)) this.#report(records);
  }

  #report(records: Records): void {
    this.#reported = records;
    this.#options.onChanged();
  }

  async #read(): Promise<Records> {
    const { store } = this.#options;
    if (!store) return [];
    const records = this.#hasBegun ? await store.load() : await this.#begin(store);
    this.#reported ??= records;
    return records;
  }

  /** Adds the directory that is a project from the beginning. */
  async #begin(store: ProjectStore): Promise<Records> {
    const path = await this.#options.first();
    const records = await changeList<ProjectRecord, Records>(store, (stored) => {
      if (path === undefined || stored.some((record) => record.path === path)) {
        return { value: stored };
      }
      const items = [this.#recordOf(path), ...stored];
      return { items, value: items };
    });
    this.#hasBegun = true;
    return records;
  }

  #recordOf(path: string): ProjectRecord {
    return { path, added_at: new Date(this.#options.clock.now()).toISOString() };
  }
}
