import type { SessionView } from "@turnwire/client";
import { textFromContent, type ContentBlock } from "@turnwire/protocol";

type MessageSources = {
  readonly session: Pick<SessionView["session"], "messages" | "queue">;
  readonly sending: SessionView["sending"];
};

/** The messages of the person in this session, oldest first: sent, queued and being sent. Consecutive duplicates count once. */
export function ownTexts({ session, sending }: MessageSources): readonly string[] {
  const said = session.messages.flatMap((message) =>
    message.role === "user" ? [message.content] : [],
  );
  const waiting = session.queue.flatMap((message) =>
    message.delivery === "queue" ? [message.content] : [],
  );
  const leaving = Object.values(sending).flatMap(({ status, content }) =>
    status === "sent" ? [] : [content],
  );
  const texts = [...said, ...waiting, ...leaving].map((content) => textOf(content).trim());
  return texts.filter((text, index) => text !== "" && text !== texts[index - 1]);
}

function textOf(content: string | readonly ContentBlock[]): string {
  return typeof content === "string" ? content : textFromContent(content);
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

/** What an arrow key recalls; undefined if the key only moves the caret. */
export function historyStep({ entries, key, text, place }: HistoryQuery): HistoryStep | undefined {
  const isBrowsing = place !== undefined && entries[place] === text;
  if (!isBrowsing && text !== "") return undefined;
  const current = isBrowsing ? place : entries.length;
  const next = key === "ArrowUp" ? current - 1 : current + 1;
  if ((key !== "ArrowUp" && key !== "ArrowDown") || next < 0 || current === next) return undefined;
  if (next > entries.length) return undefined;
  return { place: next === entries.length ? undefined : next, text: entries[next] ?? "" };
}
