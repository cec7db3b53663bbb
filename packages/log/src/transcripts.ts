/** One list of lines: an agent's own record of a conversation, or of a part of it. */
export interface TranscriptKey {
  /** As the agent's program names it; unique across all machines. */
  readonly conversation: string;
  /** Of a sub-agent, or another part. */
  readonly part?: string;
}

export interface TranscriptLine {
  /** Of several with the same id the first stays: agents repeat what they do not know to be stored. */
  readonly id?: string;
  readonly text: string;
}

/** The lease on the session whose agent writes. */
export interface TranscriptLease {
  readonly sessionId: string;
  readonly generation: number;
}

/** Keeps what agents need to continue a conversation on another machine: lines, in order. */
export interface Transcripts {
  /**
   * Appends lines; they belong to the session and are removed with it. Rejects with `lease_lost` when
   * the lease is not good: what an agent writes after that would mix with the work of the next one.
   */
  appendTranscript(
    key: TranscriptKey,
    lease: TranscriptLease,
    lines: readonly TranscriptLine[],
  ): Promise<void>;
  /** Undefined when there is none. */
  loadTranscript(key: TranscriptKey): Promise<TranscriptLine[] | undefined>;
  /** The parts that have lines, in any order. */
  listTranscriptParts(conversation: string): Promise<string[]>;
}
