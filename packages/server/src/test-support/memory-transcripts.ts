import {
  StoreError,
  type TranscriptKey,
  type TranscriptLease,
  type TranscriptLine,
  type Transcripts,
} from "@turnwire/log";

/** Transcripts in memory, as a store that several hosts share would keep them. */
export class MemoryTranscripts implements Transcripts {
  readonly #lines = new Map<string, TranscriptLine[]>();
  /** While it is set, nothing can be written: the reason. */
  problem: StoreError | undefined;
  /** By session: the newest generation that tried to write, and the newest that may not any more. */
  readonly #written = new Map<string, number>();
  #lost: ReadonlyMap<string, number> = new Map();

  /** Refuses those who write from now on, as it does when their host has died. */
  endLeases(): void {
    this.#lost = new Map(this.#written);
  }

  async appendTranscript(
    key: TranscriptKey,
    { sessionId, generation }: TranscriptLease,
    lines: readonly TranscriptLine[],
  ): Promise<void> {
    this.#written.set(sessionId, generation);
    if (generation <= (this.#lost.get(sessionId) ?? -1)) {
      throw new StoreError("lease_lost", "another host has the session");
    }
    if (this.problem) throw this.problem;
    const known = this.#lines.get(nameOf(key)) ?? [];
    const ids = new Set(known.map(({ id }) => id));
    const fresh = lines.filter(({ id }) => id === undefined || !ids.has(id));
    this.#lines.set(nameOf(key), [...known, ...fresh]);
  }

  async loadTranscript(key: TranscriptKey): Promise<TranscriptLine[] | undefined> {
    return this.#lines.get(nameOf(key));
  }

  async listTranscriptParts(conversation: string): Promise<string[]> {
    const start = nameOf({ conversation, part: "" });
    return [...this.#lines.keys()]
      .filter((name) => name.startsWith(start))
      .map((name) => name.slice(start.length));
  }
}

function nameOf({ conversation, part }: TranscriptKey): string {
  return part === undefined ? conversation : `${conversation}/${part}`;
}
