import type { SessionEvent } from "@turnwire/protocol";
import type { EventLog } from "./event-log.ts";
import type { StoredEvent } from "./store.ts";

/** A turn that has ended and still belongs to the conversation. */
export interface FinishedTurn {
  readonly turnId: string;
  readonly messageId?: string;
  /** The seq of its `done`. */
  readonly doneSeq: number;
}

const pageSize = 1000;

/** All events of a log up to and with a seq, a page at a time. */
export async function* readPages(
  log: EventLog,
  upTo: number,
): AsyncGenerator<readonly StoredEvent[]> {
  let after = log.oldest - 1;
  while (after < upTo) {
    const page = (await log.read(after, Math.min(pageSize, upTo - after))).filter(
      (event) => event.seq <= upTo,
    );
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.seq;
  }
}

/** The finished turns of a conversation, oldest first, without those rolled back. */
export async function readTurns(log: EventLog): Promise<FinishedTurn[]> {
  const turns: FinishedTurn[] = [];
  const messageOf = new Map<string, string | undefined>();
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      if (!isTurnMark(stored.type)) continue;
      const event: SessionEvent = JSON.parse(stored.json);
      if (event.type === "turn_started") {
        messageOf.set(event.data.turn_id, event.data.message_id);
      } else if (event.type === "done") {
        const turnId = event.data.turn_id;
        const messageId = messageOf.get(turnId);
        turns.push({
          turnId,
          doneSeq: event.seq,
          ...(messageId !== undefined && { messageId }),
        });
      } else if (event.type === "rolled_back") {
        const first = turns.findIndex((turn) => turn.turnId === event.data.turn_id);
        if (first >= 0) turns.length = first;
      }
    }
  }
  return turns;
}

function isTurnMark(type: string): boolean {
  return type === "turn_started" || type === "done" || type === "rolled_back";
}
