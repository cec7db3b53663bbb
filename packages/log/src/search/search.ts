/** What is looked for in what people and agents said. */
export interface SearchQuery {
  /** Every word has to be in one message; the last one may be the beginning of a word. */
  readonly text: string;
  /** Only sessions of this owner. */
  readonly owner?: string;
  /** At most so many sessions. */
  readonly limit: number;
}

/** A piece of a message around what was found. */
export interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The newest message of a session that has all words. */
export interface SearchHit {
  readonly sessionId: string;
  readonly seq: number;
  readonly role: "user" | "assistant";
  readonly snippet: readonly SnippetPart[];
}

export interface SearchPage {
  /** Newest message first, one for each session. */
  readonly hits: readonly SearchHit[];
  /** False while what an earlier version stored is still being made searchable. */
  readonly isComplete: boolean;
}

/** The words of a text as they are compared: without case and accents. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
