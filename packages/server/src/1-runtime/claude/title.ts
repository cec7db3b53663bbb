import type { Position } from "./position.ts";

/** Gives the provider's session the title that ours has. */
export class Title {
  readonly #rename: (sessionId: string, title: string) => Promise<void>;
  #wanted: string | undefined;
  #passed: string | undefined;

  constructor(rename: (sessionId: string, title: string) => Promise<void>, wanted?: string) {
    this.#rename = rename;
    this.#wanted = wanted;
  }

  set(title: string): void {
    this.#wanted = title;
  }

  /** The provider knows a session only from its first turn on: before that nothing happens. */
  async pass(position: Position | undefined): Promise<void> {
    const title = this.#wanted?.trim();
    if (!title || !position || position.isStart) return;
    const passed = `${position.sessionId} ${title}`;
    if (passed === this.#passed) return;
    await this.#rename(position.sessionId, title);
    this.#passed = passed;
  }
}
