import type { TranscriptKey, TranscriptLine } from "@turnwire/log";

/**
 * Where a session's agent keeps its own record of the conversation, so that it can be continued on
 * another machine, and where the agent's own files are gone. Absent where the store keeps none.
 */
export interface TranscriptPort {
  /** Rejects with a StoreError, `lease_lost` when another host has the session by now. */
  append(key: TranscriptKey, lines: readonly TranscriptLine[]): Promise<void>;
  /** Undefined when there is none. */
  load(key: TranscriptKey): Promise<readonly TranscriptLine[] | undefined>;
  listParts(conversation: string): Promise<readonly string[]>;
}
