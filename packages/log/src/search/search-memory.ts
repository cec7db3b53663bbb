import type { SaidChange } from "./said.ts";
import { type SnippetPart, wordsOf } from "./search.ts";

interface SaidMessage {
  readonly seq: number;
  readonly role: "user" | "assistant";
  readonly messageId: string;
  readonly text: string;
  /** The seq at which its turn began. */
  turnSeq: number | undefined;
}

/** What was said in one session, for a store that keeps everything in memory. */
export class SaidMessages {
  #messages: SaidMessage[] = [];
  readonly #turns = new Map<string, number>();

  apply(change: SaidChange): void {
    switch (change.type) {
      case "said": {
        const { seq, role, messageId, text, turnId } = change;
        const turnSeq = turnId === undefined ? undefined : this.#turns.get(turnId);
        this.#messages.push({ seq, role, messageId, text, turnSeq });
        return;
      }
      case "turn_started":
        this.#turns.set(change.turnId, change.seq);
        for (const message of this.#messages) {
          if (message.messageId === change.messageId) message.turnSeq = change.seq;
        }
        return;
      case "rolled_back": {
        const from = this.#turns.get(change.turnId) ?? Infinity;
        this.#messages = this.#messages.filter(({ turnSeq = -1 }) => turnSeq < from);
        return;
      }
      case "cancelled":
        this.#messages = this.#messages.filter(({ messageId }) => messageId !== change.messageId);
    }
  }

  /** The newest message that has all words. */
  find(words: readonly string[]): Pick<SaidMessage, "seq" | "role" | "text"> | undefined {
    return this.#messages.findLast(({ text }) => hasAll(wordsOf(text), words));
  }
}

function hasAll(text: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) =>
    index === words.length - 1
      ? text.some((candidate) => candidate.startsWith(word))
      : text.includes(word),
  );
}

/** Characters around the first match. */
const AROUND = 60;

export function snippetOf(text: string, words: readonly string[]): SnippetPart[] {
  const matches = [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].filter(([word]) =>
    wordsOf(word).some((plain) => words.some((wanted) => plain.startsWith(wanted))),
  );
  const from = Math.max(0, (matches[0]?.index ?? 0) - AROUND);
  const to = Math.min(text.length, from + 3 * AROUND);
  const parts: SnippetPart[] = from > 0 ? [{ text: "…", isMatch: false }] : [];
  let last = from;
  for (const { index, 0: word } of matches) {
    if (index + word.length > to) break;
    if (index > last) parts.push({ text: text.slice(last, index), isMatch: false });
    parts.push({ text: word, isMatch: true });
    last = index + word.length;
  }
  if (last < to) parts.push({ text: text.slice(last, to), isMatch: false });
  return to < text.length ? [...parts, { text: "…", isMatch: false }] : parts;
}
