import type { Clock } from "@turnwire/base";
import { rejected, type Result } from "@turnwire/protocol";
import { openDirectory } from "./working-directory.ts";

/** How long a file system may take to answer. */
const ANSWER_MS = 2000;

/**
 * Opens directories for lists, which must not wait for a file system that hangs: such a directory
 * counts as not available. Only one question per directory is open at a time, so that one that
 * hangs cannot use up what all file operations share.
 */
export class DirectoryProbe {
  readonly #clock: Clock;
  readonly #open: (path: string) => Promise<Result<string>>;
  readonly #asked = new Map<string, Promise<Result<string>>>();

  constructor(clock: Clock, open = openDirectory) {
    this.#clock = clock;
    this.#open = open;
  }

  async open(path: string): Promise<Result<string>> {
    const abort = new AbortController();
    const late = this.#clock
      .wait(ANSWER_MS, abort.signal)
      .then(() => rejected("not_found", `Timed out reading ${path}.`));
    try {
      return await Promise.race([this.#ask(path), late]);
    } finally {
      abort.abort();
    }
  }

  #ask(path: string): Promise<Result<string>> {
    const asked = this.#asked.get(path);
    if (asked) return asked;
    const question = this.#open(path).finally(() => this.#asked.delete(path));
    this.#asked.set(path, question);
    return question;
  }
}
