import { isInside } from "@turnwire/runtime/process";

/** Keeps those who begin to work in a directory apart from those who remove it. */
export class DirectoryHolds {
  readonly #held = new Map<string, number>();
  readonly #removing = new Set<string>();

  /** Somebody begins to work in a directory, until what this returns is called; undefined where it is being removed. */
  hold(directory: string): (() => void) | undefined {
    if ([...this.#removing].some((path) => isInside(directory, path))) return undefined;
    this.#held.set(directory, (this.#held.get(directory) ?? 0) + 1);
    return () => {
      const count = (this.#held.get(directory) ?? 1) - 1;
      if (count === 0) this.#held.delete(directory);
      else this.#held.set(directory, count);
    };
  }

  /** Whether somebody begins to work in the directory or below it. */
  isHeld(path: string): boolean {
    return [...this.#held.keys()].some((directory) => isInside(directory, path));
  }

  /** While the task runs, `hold` refuses the directory. */
  async whileRemoving<Value>(path: string, task: () => Promise<Value>): Promise<Value> {
    this.#removing.add(path);
    try {
      return await task();
    } finally {
      this.#removing.delete(path);
    }
  }
}
