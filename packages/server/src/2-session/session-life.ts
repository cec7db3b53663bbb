/**
 * Where a session stands in this process: loading, live, ending or ended. Only a live one takes
 * commands and starts turns, and nothing acts for one that has ended.
 */
export class SessionLife {
  #phase: "loading" | "live" | "ending" | "ended" = "loading";
  #ended: Promise<void> | undefined;

  get acceptsCommands(): boolean {
    return this.#phase === "live";
  }

  get hasEnded(): boolean {
    return this.#phase === "ended";
  }

  /** Settles when nothing acts for the session here any more; undefined before its end begins. */
  get ended(): Promise<void> | undefined {
    return this.#ended;
  }

  /** False where it has begun before. */
  begin(): boolean {
    if (this.#phase !== "loading") return false;
    this.#phase = "live";
    return true;
  }

  /** Ends once, by the first `finish`; undefined for any other, also one that `finish` itself causes. */
  end(finish: () => Promise<void>): Promise<void> | undefined {
    if (this.#phase === "ending" || this.#phase === "ended") return undefined;
    this.#phase = "ending";
    this.#ended = finish().finally(() => {
      this.#phase = "ended";
    });
    return this.#ended;
  }
}
