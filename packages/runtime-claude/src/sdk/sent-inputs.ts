/** Which inputs the CLI has not begun with, and which of them must not run. */
export class SentInputs {
  readonly #unstarted = new Set<string>();
  /** Inputs that outlive an interrupt: they are stopped as they start. */
  readonly #doomed = new Set<string>();

  get hasDoomed(): boolean {
    return this.#doomed.size > 0;
  }

  sent(uuid: string | undefined): void {
    if (uuid !== undefined) this.#unstarted.add(uuid);
  }

  /** Answers whether the input is to be stopped. */
  started(uuid: string): boolean {
    this.#unstarted.delete(uuid);
    return this.#doomed.delete(uuid);
  }

  /** The CLI can answer an interrupt before it has read an input that was sent earlier (2.1.325). */
  interrupted(stillQueued: readonly string[]): void {
    for (const uuid of [...stillQueued, ...this.#unstarted]) this.#doomed.add(uuid);
  }

  /** What has not started by now never will. */
  rest(): void {
    for (const uuid of this.#doomed) this.#unstarted.delete(uuid);
    this.#doomed.clear();
  }
}
