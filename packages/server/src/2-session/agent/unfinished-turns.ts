import { defined } from "@turnwire/base";
import type { HasAttachments, SessionEvent } from "@turnwire/protocol";
import { eventFrom, type ReadableLog, type StoredEvent, StoreError } from "@turnwire/log";
import type { LostInput, UnfinishedTurns } from "@turnwire/runtime";
import { restoreInput } from "../record/restore.ts";
import type { LostCause } from "../decide/settle.ts";
import { readPages } from "../decide/turn-list.ts";

/** Bytes of attachments that are read again: more than any agent takes, and no load for a host. */
const MAX_RESTORED_BYTES = 32 * 1024 * 1024;

/** The turns at the end of a log that no agent has ended, with what was said in them. */
export async function readUnfinishedTurns(
  log: ReadableLog,
  maxRestoredBytes = MAX_RESTORED_BYTES,
): Promise<UnfinishedTurns> {
  const search = new LostTurnSearch();
  for await (const event of eventsFromEnd(log)) {
    search.take(event, log.sessionId);
    if (search.isDone) break;
  }
  if (!search.isDone && log.oldest > 1) search.takeBase(await log.readBase());
  const isWhole = !search.hasEarlier && log.oldest === 1;
  return { inputs: await restoreNewest(search.inputs(), log, maxRestoredBytes), isWhole };
}

/** The inputs as they were sent; of the oldest only that they were, where all together are too large. */
async function restoreNewest(
  inputs: readonly InputWithAttachments[],
  log: ReadableLog,
  maxBytes: number,
): Promise<LostInput[]> {
  const restored: LostInput[] = [];
  let left = maxBytes;
  for (const input of inputs.toReversed()) {
    const size = (input.attachments ?? []).reduce((sum, attachment) => sum + attachment.size, 0);
    left -= size;
    restored.push(
      size === 0 || left >= 0
        ? { ...(await restoreInput(input, log)), isSteer: input.isSteer }
        : withoutContent(input),
    );
  }
  return restored.toReversed();
}

function withoutContent(input: InputWithAttachments): LostInput {
  const { turnId, messageId, isSteer } = input;
  const content = [{ type: "text", text: "[A large message is left out here.]" } as const];
  return { turnId, messageId, isSteer, content };
}

/** Newest first. Ends early where retention removes events meanwhile: the base state has them then. */
async function* eventsFromEnd(log: ReadableLog): AsyncGenerator<StoredEvent> {
  await log.settled;
  let upTo = log.head;
  // Nearly always the newest turn was ended by its agent: its last events are enough to see that.
  let size = 50;
  while (upTo >= log.oldest) {
    const before = Math.max(log.oldest - 1, upTo - size);
    const events: StoredEvent[] = [];
    try {
      for await (const page of readPages(log, upTo, before)) events.push(...page);
    } catch (error) {
      if (error instanceof StoreError && error.code === "not_contiguous") return;
      throw error;
    }
    yield* events.toReversed();
    upTo = before;
    size = Math.min(size * 2, 1000);
  }
}

type InputWithAttachments = LostInput & HasAttachments;

interface LostTurn {
  readonly turnId: string;
  readonly messageId?: string | undefined;
  /** What began it. */
  own?: InputWithAttachments;
  /** Newest first. */
  readonly steers: InputWithAttachments[];
}

/** A turn whose end was seen, and its beginning not yet. */
interface EndedTurn {
  readonly turnId: string;
  readonly steers: InputWithAttachments[];
  /** Unknown until the event before its end: `settle` writes the reason there. */
  fate?: "lost" | "refused";
}

/** How a session ends a turn whose agent is gone or never got it; what was refused for good must not come back. */
const fates: Readonly<Record<string, EndedTurn["fate"]>> = {
  turn_lost: "lost",
  agent_exited: "lost",
  agent_failed: "lost",
  interrupt_timeout: "lost",
  workspace_unavailable: "refused",
} satisfies Record<LostCause["code"], EndedTurn["fate"]>;

/** Looks for lost turns in events that come newest first. */
class LostTurnSearch {
  /** Newest first. */
  readonly #turns: LostTurn[] = [];
  readonly #deferred = new Set<string>();
  #ended: EndedTurn | undefined;
  /** The turn before whose beginning nothing counts: it was rolled back, with all after it. */
  #undone: string | undefined;
  /** Whether there is a turn that its agent has ended. */
  hasEarlier = false;

  /** A message may have been sent long before its turn began. */
  get isDone(): boolean {
    return this.hasEarlier && this.#turns.every(({ messageId, own }) => own ?? !messageId);
  }

  inputs(): InputWithAttachments[] {
    return this.#turns
      .toReversed()
      .flatMap(({ own, steers }) => [...(own ? [own] : []), ...steers.toReversed()]);
  }

  take(stored: StoredEvent, sessionId: string): void {
    const isTelling = telling.has(stored.type);
    if (!isTelling && !this.hasEarlier && this.#ended && !this.#ended.fate) this.#stop();
    if (isTelling) this.#takeEvent(eventFrom(sessionId, stored));
  }

  /** What retention has removed from the log. */
  takeBase({ turn, messages }: Pick<Base, "turn" | "messages">): void {
    if (this.#ended?.fate === "lost" && turn?.turn_id === this.#ended.turnId) {
      this.#turns.push({ ...this.#ended, messageId: turn.message_id });
    }
    for (const lost of this.#turns) {
      const said = messages.find(({ role, id }) => role === "user" && id === lost.messageId);
      if (said?.role === "user") lost.own ??= { ...inputFrom(said), ...ownPlace(lost, said.id) };
    }
  }

  #takeEvent(event: SessionEvent): void {
    if (this.#undone !== undefined) {
      if (event.type === "turn_started" && event.data.turn_id === this.#undone) {
        this.#undone = undefined;
      }
      return;
    }
    switch (event.type) {
      case "rolled_back":
        this.#undone = event.data.turn_id;
        break;
      case "done":
        if (!this.hasEarlier) this.#ended = { turnId: event.data.turn_id, steers: [] };
        break;
      case "error":
        this.#takeError(event);
        break;
      case "turn_started":
        this.#takeStart(event.data);
        break;
      case "message_deferred":
        this.#deferred.add(event.data.message_id);
        this.#takeMessage(event);
        break;
      case "user_message":
        this.#takeMessage(event);
        break;
      default:
    }
  }

  #takeError({ turn_id: turnId, data }: Extract<SessionEvent, { type: "error" }>): void {
    if (!this.#ended || this.#ended.fate) return;
    const fate = turnId === this.#ended.turnId ? fates[data.code] : undefined;
    if (fate) this.#ended.fate = data.retryable ? fate : "refused";
    else this.#stop();
  }

  #takeStart({ turn_id: turnId, message_id: messageId }: TurnStart): void {
    if (this.#ended?.turnId !== turnId) return;
    const { fate, steers } = this.#ended;
    if (!fate) return this.#stop();
    this.#ended = undefined;
    if (fate === "lost") this.#turns.push({ turnId, messageId, steers });
  }

  #takeMessage(event: MessageEvent): void {
    const { message_id: id } = event.data;
    const input = inputFrom({ ...event.data, attachments: event.attachments });
    const lost = this.#turns.find(({ messageId, own }) => messageId === id && !own);
    if (lost) lost.own = { ...input, ...ownPlace(lost, id) };
    const isSteer = event.type === "user_message" && event.data.delivery === "steer";
    const { turn_id: turnId } = event;
    if (!isSteer || this.#deferred.has(id) || turnId === undefined) return;
    if (this.#ended?.fate !== "lost" || this.#ended.turnId !== turnId) return;
    this.#ended.steers.push({ ...input, turnId, messageId: id, isSteer });
  }

  #stop(): void {
    this.hasEarlier = true;
    this.#ended = undefined;
  }
}

type Base = Awaited<ReturnType<ReadableLog["readBase"]>>;
type TurnStart = Extract<SessionEvent, { type: "turn_started" }>["data"];
type MessageEvent = Extract<SessionEvent, { type: "user_message" | "message_deferred" }>;

const telling: ReadonlySet<string> = new Set<SessionEvent["type"]>([
  "rolled_back",
  "done",
  "result",
  "error",
  "turn_started",
  "message_deferred",
  "user_message",
]);

function ownPlace({ turnId }: LostTurn, messageId: string) {
  return { turnId, messageId, isSteer: false };
}

interface MessageParts {
  readonly content: LostInput["content"];
  readonly context?: LostInput["context"] | undefined;
  readonly attachments?: HasAttachments["attachments"] | undefined;
}

function inputFrom({ content, context, attachments }: MessageParts) {
  return { content, ...defined({ context, attachments }) };
}
