import { textFromContent, type Message } from "@turnwire/protocol";

/** What a person has said in this session, oldest first, the same words in a row once. */
export function ownTexts(messages: readonly Message[]): readonly string[] {
  const texts = messages.flatMap((message) =>
    message.role === "user" ? [textFromContent(message.content).trim()] : [],
  );
  return texts.filter((text, index) => text !== "" && text !== texts[index - 1]);
}

interface HistoryQuery {
  readonly entries: readonly string[];
  readonly key: string;
  readonly text: string;
  /** Which entry the field shows; none at the beginning. */
  readonly place: number | undefined;
}

interface HistoryStep {
  readonly place: number | undefined;
  readonly text: string;
}

/** What an arrow key brings back; undefined where the key only moves the caret. */
export function historyStep({ entries, key, text, place }: HistoryQuery): HistoryStep | undefined {
  const isBrowsing = place !== undefined && entries[place] === text;
  if (!isBrowsing && text !== "") return undefined;
  const current = isBrowsing ? place : entries.length;
  const next = key === "ArrowUp" ? current - 1 : current + 1;
  if ((key !== "ArrowUp" && key !== "ArrowDown") || next < 0 || current === next) return undefined;
  if (next > entries.length) return undefined;
  return { place: next === entries.length ? undefined : next, text: entries[next] ?? "" };
}
