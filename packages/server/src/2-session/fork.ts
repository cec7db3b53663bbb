import type {
  CommandOf,
  Control,
  CreateSession,
  EventDraft,
  SessionEvent,
} from "@turnwire/protocol";
import type { Runtime } from "../1-runtime/runtime.ts";
import type { EventLog } from "./event-log.ts";
import type { Result } from "./result.ts";
import { accepted, rejected } from "./result.ts";
import type { Session } from "./session.ts";
import type { Past } from "./session-creation.ts";
import type { FinishedTurn } from "./turn-list.ts";
import { readPages, readTurns } from "./turn-list.ts";

/** How to create the copy, and what its log begins with. */
export interface ForkPlan {
  readonly options: CreateSession;
  readonly past: Past;
}

/** The turns to take along, and the seq they end at. */
interface Cut {
  readonly upTo: number;
  readonly turns: readonly FinishedTurn[];
}

/** Finds where to cut, and lets the runtime copy its own side. */
export async function planFork(
  source: Session,
  runtime: Runtime,
  command: CommandOf<"fork">,
): Promise<Result<ForkPlan>> {
  const { session } = source.control;
  if (!session.capabilities.fork || !runtime.fork) {
    return rejected("capability_missing", "This runtime cannot fork.", { capability: "fork" });
  }
  const finished = await readTurns(source.log);
  const last =
    command.turn_id === undefined
      ? finished.length - 1
      : finished.findIndex((turn) => turn.turnId === command.turn_id);
  if (command.turn_id !== undefined && last < 0) {
    return rejected("invalid_request", `This session has no finished turn ${command.turn_id}.`);
  }
  const turns = finished.slice(0, last + 1);
  const upTo = turns.at(-1)?.doneSeq ?? 0;
  const { provider_session_id: providerSessionId, cwd = "" } = session;
  const copy =
    providerSessionId === undefined || turns.length === 0
      ? undefined
      : await runtime.fork({
          providerSessionId,
          cwd,
          turns: turns.length,
          turnIds: knownTurnIds(finished, source.control),
        });
  return accepted({
    options: copyOptions(source, command),
    past: {
      origin: {
        forked_from: { session_id: source.id, seq: upTo },
        ...(copy && { provider_session_id: copy.providerSessionId }),
      },
      history: copiedEvents(source.log, { upTo, turns }),
    },
  });
}

/** Also the running turn: the agent's own record has begun with it, and the copy must not. */
function knownTurnIds(finished: readonly FinishedTurn[], { turn }: Control): string[] {
  return [...new Set([...finished.map(({ turnId }) => turnId), ...(turn ? [turn.turn_id] : [])])];
}

function copyOptions(source: Session, command: CommandOf<"fork">): CreateSession {
  const { title, model, permission_mode, cwd } = source.control.session;
  return {
    ...source.creation,
    session_id: undefined,
    title: command.title ?? title,
    model,
    permission_mode,
    cwd,
  };
}

/**
 * The source's conversation as drafts for the copy, a page at a time, with their first times.
 * Left out: what describes the source itself, requests and input that belong to no kept turn.
 */
async function* copiedEvents(
  log: EventLog,
  plan: Cut,
): AsyncGenerator<(EventDraft & { ts: string })[]> {
  const messageIds = new Set(plan.turns.map((turn) => turn.messageId));
  const turnIds = new Set(plan.turns.map((turn) => turn.turnId));
  for await (const page of readPages(log, plan.upTo)) {
    const events = page.map((stored): SessionEvent => JSON.parse(stored.json));
    yield events
      .filter((event) => isCopied(event, messageIds, turnIds))
      .map(({ seq: _, ...event }) => event);
  }
}

function isCopied(
  event: SessionEvent,
  messageIds: ReadonlySet<string | undefined>,
  turnIds: ReadonlySet<string>,
): boolean {
  switch (event.type) {
    case "session_ready":
    case "session_updated":
    case "session_closed":
    case "rolled_back":
      return false;
    case "user_message":
      return event.data.delivery === "steer"
        ? event.turn_id !== undefined && turnIds.has(event.turn_id)
        : messageIds.has(event.data.message_id);
    default:
      return event.turn_id !== undefined && turnIds.has(event.turn_id);
  }
}
