import { draft, type EventDraft, JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import type { TimedDraft } from "@turnwire/runtime";
import { codexNormalizer, type CodexState } from "../normalize/normalize.ts";

/** A turn as Codex keeps it; times are in seconds. */
export const PastTurn = z.looseObject({
  id: z.string(),
  /** Another one where the turn is part of a review: it begins with Codex's own words for that. */
  rootTurnId: z.string().nullish(),
  status: z.string(),
  startedAt: z.number().nullish(),
  completedAt: z.number().nullish(),
  items: z.array(JsonObject),
});
export type PastTurn = z.infer<typeof PastTurn>;

const UserMessage = z.object({
  type: z.literal("userMessage"),
  id: z.string(),
  /** Our id of the turn, where we sent it. */
  clientId: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});
type UserMessage = z.infer<typeof UserMessage>;

/** Older threads have no times for their items. */
const Timed = z.object({
  startedAtMs: z.number().nullish(),
  completedAtMs: z.number().nullish(),
});

/** Figures are not part of what is kept, and what describes the thread is reported when it continues. */
const untold: ReadonlySet<string> = new Set(["usage", "session_updated"]);

/** Whether a person said it without us: Codex's own turns, such as compactions, have no words of anybody. */
export function isFromElsewhere(
  { id, rootTurnId, items }: PastTurn,
  known: ReadonlySet<string>,
): boolean {
  if ((rootTurnId ?? id) !== id) return false;
  const said = items.flatMap((item) => UserMessage.safeParse(item).data ?? []);
  const ids = [id, ...said.flatMap(({ clientId }) => clientId ?? [])];
  return said.length > 0 && !ids.some((each) => known.has(each));
}

/** The events that these turns would have made, had Turnwire been there. */
export function eventsFromTurns(threadId: string, turns: readonly PastTurn[]): TimedDraft[] {
  const named = { method: "turnwire/thread", params: { thread_id: threadId } };
  let [state] = codexNormalizer.step(codexNormalizer.initial(), named);
  const events: TimedDraft[] = [];
  for (const turn of turns) {
    const reader = new PastTurnReader(state, threadId, turn);
    events.push(...reader.read());
    state = reader.state;
  }
  return events;
}

/** One turn on its way through the normalizer, which then speaks as it would have done at the time. */
class PastTurnReader {
  state: CodexState;
  readonly #threadId: string;
  readonly #turn: PastTurn;
  readonly #events: TimedDraft[] = [];
  /** A turn in which Codex only compacted is none in the log. */
  #isShown = false;
  #timeMs: number;

  constructor(state: CodexState, threadId: string, turn: PastTurn) {
    this.state = state;
    this.#threadId = threadId;
    this.#turn = turn;
    this.#timeMs = (turn.startedAt ?? 0) * 1000;
  }

  read(): TimedDraft[] {
    const { items, status, completedAt } = this.#turn;
    const prompt = items.find((item) => UserMessage.safeParse(item).success);
    if (prompt) this.#takeItem(prompt);
    if (prompt) this.#feed("turnwire/turn_sent", { turn_id: this.#turn.id });
    this.#feed("turn/started", { turn: this.#turn });
    for (const item of items) if (item !== prompt) this.#takeItem(item);
    this.#reach((completedAt ?? 0) * 1000);
    // A turn that another process is still at is none that anybody here will see the end of.
    const ended = status === "inProgress" ? { ...this.#turn, status: "interrupted" } : this.#turn;
    this.#feed("turn/completed", { turn: ended });
    return this.#events;
  }

  #takeItem(item: JsonObject): void {
    const times = Timed.safeParse(item).data;
    this.#reach(times?.completedAtMs ?? times?.startedAtMs ?? 0);
    const said = UserMessage.safeParse(item);
    if (said.success) return this.#takePrompt(said.data);
    const stage = item["status"] === "inProgress" ? "started" : "completed";
    return this.#feed(`item/${stage}`, { turnId: this.#turn.id, item });
  }

  /** The first one begins the turn, each further one was spoken into it. */
  #takePrompt({ id: message_id, content }: UserMessage): void {
    const turn_id = this.#turn.id;
    const said = { message_id, content: content.map(textOf) };
    if (this.#isShown) {
      return this.#keep([draft("user_message", { ...said, delivery: "steer" }, { turn_id })]);
    }
    return this.#keep([
      draft("user_message", { ...said, delivery: "turn" }),
      draft("turn_started", { turn_id, message_id }, { turn_id }),
    ]);
  }

  #feed(method: string, params: object): void {
    const native = { method, params: { threadId: this.#threadId, ...params } };
    const [next, drafts] = codexNormalizer.step(this.state, native);
    this.state = next;
    this.#keep(drafts);
  }

  #keep(drafts: readonly EventDraft[]): void {
    const ts = new Date(this.#timeMs).toISOString();
    for (const event of drafts) {
      this.#isShown ||= event.type === "turn_started";
      const isPlaced = this.#isShown && event.type !== "user_message";
      const place = isPlaced ? { turn_id: this.#turn.id } : {};
      if (!untold.has(event.type)) this.#events.push({ ...place, ...withoutUsage(event), ts });
    }
  }

  #reach(timeMs: number): void {
    this.#timeMs = Math.max(this.#timeMs, timeMs);
  }
}

function withoutUsage(event: EventDraft): EventDraft {
  if (event.type !== "result") return event;
  const { usage: _, ...data } = event.data;
  return { ...event, data };
}

/** What was said; files are named, not copied. */
function textOf({ type, text }: UserMessage["content"][number]): { type: "text"; text: string } {
  return { type: "text", text: text ?? `[${type}]` };
}
