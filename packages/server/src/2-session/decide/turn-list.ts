import type { SessionEvent, SessionState } from "@turnwire/protocol";
import { type ReadableLog, type Store, type StoredEvent, StoreError } from "@turnwire/log";

/** A turn that has ended and still belongs to the conversation. */
export interface FinishedTurn {
  readonly turnId: string;
  readonly messageId?: string;
  /** The seq of its `turn_started`; undefined where retention has removed it. */
  readonly startedSeq?: number;
  /** The seq of its `done`; undefined where retention has removed it. */
  readonly doneSeq?: number;
}

const pageSize = 1000;

/** All events of a log after a seq, up to and with another, a page at a time. */
export async function* readPages(
  log: ReadableLog,
  upTo: number,
  from = log.oldest - 1,
): AsyncGenerator<readonly StoredEvent[]> {
  let after = from;
  while (after < upTo) {
    const page = (await log.read(after, Math.min(pageSize, upTo - after))).filter(
      (event) => event.seq <= upTo,
    );
    const [first] = page;
    const last = page.at(-1);
    if (!first || !last) return;
    if (first.seq !== after + 1) {
      throw new StoreError("not_contiguous", "the log was trimmed while it was read");
    }
    yield page;
    after = last.seq;
  }
}

/** The finished turns of a conversation, oldest first, without those rolled back. */
export async function readTurns(log: ReadableLog, store: Store): Promise<FinishedTurn[]> {
  const base = log.oldest > 1 ? await store.readBase(log.sessionId) : undefined;
  const turns: FinishedTurn[] = base ? turnsOfState(base.state) : [];
  const running = base?.state.turn;
  const begun = new Map<string, Omit<FinishedTurn, "turnId" | "doneSeq">>();
  if (running) begun.set(running.turn_id, beginning(running.message_id));
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      if (!isTurnMark(stored.type)) continue;
      const event: SessionEvent = JSON.parse(stored.json);
      if (event.type === "turn_started") {
        const { turn_id: turnId, message_id: messageId } = event.data;
        begun.set(turnId, { ...beginning(messageId), startedSeq: event.seq });
      } else if (event.type === "done") {
        const turnId = event.data.turn_id;
        turns.push({ turnId, doneSeq: event.seq, ...begun.get(turnId) });
      } else if (event.type === "rolled_back") {
        const first = turns.findIndex((turn) => turn.turnId === event.data.turn_id);
        if (first >= 0) turns.length = first;
      }
    }
  }
  return turns;
}

function beginning(messageId: string | undefined): Pick<FinishedTurn, "messageId"> {
  return messageId === undefined ? {} : { messageId };
}

/** The ids of all turns that a log shows, also of those rolled back. */
export async function readTurnIds(log: ReadableLog, store: Store): Promise<Set<string>> {
  const base = log.oldest > 1 ? await store.readBase(log.sessionId) : undefined;
  const ids = new Set(base?.state.messages.flatMap(({ turn_id }) => turn_id ?? []));
  if (base?.state.turn) ids.add(base.state.turn.turn_id);
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      if (stored.type !== "turn_started") continue;
      const event: SessionEvent = JSON.parse(stored.json);
      if (event.type === "turn_started") ids.add(event.data.turn_id);
    }
  }
  return ids;
}

/** When the newest turn of a log ended; found from the end, where it usually is. */
export async function lastTurnEnd(log: ReadableLog): Promise<string | undefined> {
  let upTo = log.head;
  while (upTo >= log.oldest) {
    const before = Math.max(log.oldest - 1, upTo - pageSize);
    let last: StoredEvent | undefined;
    for await (const page of readPages(log, upTo, before)) {
      last = page.findLast(({ type }) => type === "done") ?? last;
    }
    if (last) {
      const event: SessionEvent = JSON.parse(last.json);
      return event.ts;
    }
    upTo = before;
  }
  return undefined;
}

/** The finished turns that a base state shows: those whose events retention has removed. */
function turnsOfState({ messages, turn }: SessionState): FinishedTurn[] {
  const turns = new Map<string, FinishedTurn>();
  for (const message of messages) {
    const turnId = message.turn_id;
    if (turnId === undefined || turnId === turn?.turn_id) continue;
    const isAsked = message.role === "user" && message.delivery !== "steer";
    const known = turns.get(turnId);
    if (known?.messageId !== undefined) continue;
    turns.set(turnId, { turnId, ...(isAsked && { messageId: message.id }) });
  }
  return [...turns.values()];
}

function isTurnMark(type: string): boolean {
  return type === "turn_started" || type === "done" || type === "rolled_back";
}
