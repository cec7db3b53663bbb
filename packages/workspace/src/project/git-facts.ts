import { isDeepStrictEqual } from "node:util";
import { type Clock, detach, Semaphore, startTimer } from "@turnwire/base";
import type { ProjectGit } from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";
import { readGit } from "./read-git.ts";

export interface GitFactsOptions {
  readonly clock: Clock;
  /** What is known of a directory has changed since somebody asked. */
  readonly onChanged: () => void;
  readonly onError: (error: unknown) => void;
  readonly read?: (directory: string) => Promise<ProjectGit | undefined>;
}

interface Entry {
  facts: ProjectGit | undefined;
  readAt: number;
  isKnown: boolean;
  /** What somebody was answered last. */
  answer: { readonly facts: ProjectGit | undefined } | undefined;
  reading: Promise<void> | undefined;
  cancelTimer: (() => void) | undefined;
}

/** What was read longer ago is read again, behind the answer. */
const FRESH_MS = 5000;
/** How long the first answer about a directory may wait for git. */
const FIRST_WAIT_MS = 500;
/** While an agent works in a directory, it is read at most so often. */
const TOUCH_MS = 3000;
const MAX_READING = 2;

/** What git knows of the directories that were asked for: remembered, and read again when it may have changed. */
export class GitFacts {
  readonly #options: GitFactsOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #permits = new Semaphore(MAX_READING);
  #isClosed = false;

  constructor(options: GitFactsOptions) {
    this.#options = options;
  }

  /** Answers with what is known; the first time, it waits a moment for that. */
  async of(directory: string): Promise<ProjectGit | undefined> {
    const entry = this.#entryOf(directory);
    if (this.#ageOf(entry) >= FRESH_MS) this.#read(directory, entry);
    if (!entry.isKnown && entry.reading) await this.#waitFor(entry.reading);
    entry.answer = { facts: entry.facts };
    return entry.facts;
  }

  /** Something happened in a directory: what is known of the projects around it may be old. */
  touch(directory: string): void {
    for (const [path, entry] of this.#entries) {
      if (entry.cancelTimer || !isInside(directory, path)) continue;
      const { clock } = this.#options;
      entry.cancelTimer = startTimer(clock, Math.max(0, TOUCH_MS - this.#ageOf(entry)), () => {
        entry.cancelTimer = undefined;
        this.#read(path, entry);
      });
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancelTimer } of this.#entries.values()) cancelTimer?.();
    this.#entries.clear();
  }

  /** What a clock that was set back shows to have been read later is not known to be fresh. */
  #ageOf({ readAt }: Entry): number {
    const age = this.#options.clock.now() - readAt;
    return age < 0 ? Number.POSITIVE_INFINITY : age;
  }

  #entryOf(directory: string): Entry {
    const known = this.#entries.get(directory);
    if (known) return known;
    const entry: Entry = {
      facts: undefined,
      readAt: Number.NEGATIVE_INFINITY,
      isKnown: false,
      answer: undefined,
      reading: undefined,
      cancelTimer: undefined,
    };
    if (!this.#isClosed) this.#entries.set(directory, entry);
    return entry;
  }

  #read(directory: string, entry: Entry): void {
    if (entry.reading || this.#isClosed) return;
    entry.reading = this.#readNow(directory, entry).finally(() => {
      entry.reading = undefined;
    });
    detach(entry.reading, this.#options.onError);
  }

  async #readNow(directory: string, entry: Entry): Promise<void> {
    const { clock, read = readGit, onChanged } = this.#options;
    const facts = await this.#permits.run(() => read(directory));
    entry.facts = facts;
    entry.isKnown = true;
    entry.readAt = clock.now();
    const isNews = entry.answer && !isDeepStrictEqual(facts, entry.answer.facts);
    if (isNews && !this.#isClosed) onChanged();
  }

  async #waitFor(reading: Promise<void>): Promise<void> {
    const abort = new AbortController();
    try {
      await Promise.race([reading, this.#options.clock.wait(FIRST_WAIT_MS, abort.signal)]);
    } finally {
      abort.abort();
    }
  }
}
