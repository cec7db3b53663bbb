import { isDeepStrictEqual } from "node:util";
import {
  accepted,
  type CommandOf,
  type Control,
  type CreateSession,
  draft,
  type EventDraft,
  fold,
  foldControl,
  initialControl,
  isAskedByAgent,
  isRequest,
  isResolution,
  rejected,
  type Result,
  type SessionEvent,
  type SessionInfo,
  type SessionState,
} from "@turnwire/protocol";
import { type BaseState, type ReadableLog, type Store, StoreError } from "@turnwire/log";
import { type Runtime, RuntimeError } from "@turnwire/runtime";
import { resolveAll, resolveOwn } from "../2-session/decide/resolve.ts";
import { unknownSession } from "../2-session/port/host-rejection.ts";
import { refusalFrom } from "../2-session/agent/runtime-failure.ts";
import type { Session } from "../2-session/session.ts";
import type { Beginning } from "./creation/session-creation.ts";
import { transcriptPort } from "../2-session/agent/transcript-access.ts";
import { ComponentIndex } from "../2-session/ui/component-index.ts";
import { restoringEvents } from "../2-session/ui/restoring-events.ts";
import { sharedStateEvents } from "../2-session/decide/shared-state-events.ts";
import { type FinishedTurn, readPages, readTurns } from "../2-session/decide/turn-list.ts";

/** What a copy is created with. */
interface ForkPlan {
  readonly options: CreateSession;
  /** Lets the runtime copy its own side; called once the copy may be created. */
  readonly past: Beginning["past"];
}

/** Where to cut a conversation. */
interface Cut {
  /** The seq of the last kept turn's end. */
  readonly upTo: number;
  /** The last seq before the next turn begins: the state shared before it is kept. */
  readonly sharedUpTo: number;
  readonly kept: readonly FinishedTurn[];
}

interface ForkContext {
  readonly runtimes: ReadonlyMap<string, Runtime>;
  readonly store: Store;
  readonly command: CommandOf<"fork">;
}

/** Copies a session; `create` makes the copy from its plan. */
export async function forkSession(
  source: Session,
  context: ForkContext,
  create: (plan: ForkPlan) => Promise<Result<SessionInfo>>,
): Promise<Result<SessionInfo>> {
  try {
    const planned = await planFork(source, context);
    return planned.ok ? await create(planned.value) : planned;
  } catch (error) {
    if (error instanceof RuntimeError) return refusalFrom(error);
    const code = error instanceof StoreError ? error.code : undefined;
    if (code === "session_unknown") return unknownSession(source.id);
    if (code !== "not_contiguous") throw error;
    // The source broke meanwhile, and the object after it trimmed the log.
    return rejected("store_unavailable", "The session changed while it was copied: try again.");
  }
}

/** Finds where to cut; nothing is copied yet. */
async function planFork(
  source: Session,
  { runtimes, store, command }: ForkContext,
): Promise<Result<ForkPlan>> {
  const { log } = source;
  const runtime = runtimes.get(source.control.session.runtime);
  if (!runtime) {
    return rejected("runtime_unavailable", "This server does not have the session's runtime.");
  }
  const copyProvider = runtime.fork?.bind(runtime);
  if (!source.control.session.capabilities.fork || !copyProvider) {
    return rejected("capability_missing", "This runtime cannot fork.", { capability: "fork" });
  }
  const base = log.oldest > 1 ? await store.readBase(log.sessionId) : undefined;
  const cut = findCut(await readTurns(log, store), log, command.turn_id, base);
  if (!cut.ok) return cut;
  const { kept, upTo } = cut.value;
  const { provider_session_id: providerSessionId, cwd = "" } = source.control.session;
  return accepted({
    options: copyOptions(source, command),
    past: async (lease) => {
      const transcripts = transcriptPort(store, lease);
      const copied =
        providerSessionId === undefined || kept.length === 0
          ? undefined
          : copyProvider({
              providerSessionId,
              cwd,
              turns: kept.length,
              turnIds: knownTurnIds(await readTurns(log, store), source.control),
              ...(transcripts && { transcripts }),
            });
      const copy = await copied?.catch((error: unknown) => {
        const code = error instanceof RuntimeError ? error.code : undefined;
        // The copy's agent then gets the words of its log, as that of the source would.
        if (code !== "conversation_missing" || store.isShared) throw error;
        return undefined;
      });
      const keptState = base && keptBase(base, kept);
      return {
        origin: {
          forked_from: { session_id: source.id, seq: upTo },
          ...(copy && { provider_session_id: copy.providerSessionId }),
        },
        ...(keptState && { base: keptState }),
        history: withBudget(copiedEvents(log, cut.value, { base, keptState }), source.control),
      };
    },
  });
}

function findCut(
  finished: readonly FinishedTurn[],
  log: ReadableLog,
  turnId: string | undefined,
  base: BaseState | undefined,
): Result<Cut> {
  const last =
    turnId === undefined
      ? finished.length - 1
      : finished.findIndex((turn) => turn.turnId === turnId);
  if (turnId !== undefined && last < 0) {
    return rejected("invalid_request", `This session has no finished turn ${turnId}.`);
  }
  const kept = finished.slice(0, last + 1);
  const end = kept.at(-1);
  const isLast = last === finished.length - 1;
  if (end && end.doneSeq === undefined && (!isLast || base?.state.turn)) {
    return rejected(
      "invalid_request",
      `Turn ${end.turnId} can no longer be copied by itself: its events have been removed by retention.`,
    );
  }
  const upTo = end?.doneSeq ?? base?.seq ?? 0;
  // A later turn has its `done` behind this: what was shared in between belongs to that turn.
  const next = finished[last + 1]?.doneSeq;
  return accepted({ upTo, sharedUpTo: next === undefined ? log.head : next, kept });
}

/** Also the running turn: the agent's own record has begun with it, and the copy must not. */
function knownTurnIds(finished: readonly FinishedTurn[], { turn }: Control): string[] {
  return [...new Set([...finished.map(({ turnId }) => turnId), ...(turn ? [turn.turn_id] : [])])];
}

function copyOptions(source: Session, command: CommandOf<"fork">): CreateSession {
  const { title, model, effort, permission_mode, policy_mode = null, cwd } = source.control.session;
  const { system_prompt } = source.creation;
  return {
    ...source.creation,
    session_id: undefined,
    // The copy works in the worktree of its source, where the conversation took place.
    worktree: undefined,
    title: command.title ?? title,
    model: command.model ?? model,
    effort: command.effort ?? effort,
    system_prompt: command.system_prompt ?? system_prompt,
    permission_mode,
    policy_mode,
    cwd,
    budget: source.control.session.budget?.allowed,
    catalog: source.control.catalog.length > 0 ? [...source.control.catalog] : undefined,
  };
}

/**
 * A base may have been taken in the middle of things: only what belongs to kept turns goes along. A
 * turn that ran at the time and is not kept is ended and taken back, with all after it, as the fold does it.
 */
function keptBase({ state }: BaseState, kept: readonly FinishedTurn[]): BaseState["state"] {
  const turnIds = new Set(kept.map((turn) => turn.turnId));
  const messageIds = new Set(kept.map((turn) => turn.messageId));
  const { turn } = state;
  const firstLost = [
    ...state.messages.map((message) => message.turn_id),
    ...(turn ? [turn.turn_id] : []),
  ].find((turnId) => turnId !== undefined && !turnIds.has(turnId));
  const drafts = [
    // Their answers have no receiver in the copy.
    ...resolveOwn(state),
    ...(turn && !turnIds.has(turn.turn_id)
      ? [...resolveAll(state, "cancelled"), draft("done", { turn_id: turn.turn_id })]
      : []),
    ...(firstLost === undefined ? [] : [draft("rolled_back", { turn_id: firstLost })]),
  ];
  const cleaned = drafts.reduce(
    (before, event) => fold(before, { seq: before.seq + 1, ts: "", ...event }),
    state,
  );
  const queue = cleaned.queue.filter(({ message_id }) => messageIds.has(message_id));
  // The copy's agent asks again, and its budget counts from zero.
  const { grants: _granted, budget: _used, ...session } = cleaned.session;
  return { ...cleaned, queue, session };
}

/** The copy has the source's limits from its own first turn on: what it was copied with costs nothing. */
async function* withBudget(
  history: AsyncIterable<(EventDraft & { ts?: string })[]>,
  { session }: Control,
): AsyncGenerator<(EventDraft & { ts?: string })[]> {
  yield* history;
  if (session.budget) yield [draft("session_updated", { budget: session.budget.allowed })];
}

/**
 * The source's conversation as drafts for the copy, a page at a time, with their first times. Left
 * out: what describes the source itself, requests and input that belong to no kept turn. Then come
 * the components that were changed between turns, and last the whole shared state, for the same reason.
 */
async function* copiedEvents(
  log: ReadableLog,
  cut: Cut,
  { base, keptState }: { base: BaseState | undefined; keptState: SessionState | undefined },
): AsyncGenerator<(EventDraft & { ts?: string })[]> {
  const messageIds = new Set(cut.kept.map((turn) => turn.messageId));
  const turnIds = new Set(cut.kept.map((turn) => turn.turnId));
  let control: Control = base?.state ?? initialControl();
  const shown = base ? ComponentIndex.from(base.state) : new ComponentIndex();
  const copiedComponents = keptState ? ComponentIndex.from(keptState) : new ComponentIndex();
  let isBeyond = false;
  for await (const page of readPages(log, cut.sharedUpTo)) {
    const copied: (EventDraft & { ts: string })[] = [];
    for (const stored of page) {
      const event: SessionEvent = JSON.parse(stored.json);
      isBeyond ||= event.seq > cut.upTo && event.type === "turn_started";
      if (!isBeyond) {
        control = foldControl(control, event);
        shown.observe(event);
      }
      const { seq, ...rest } = event;
      if (seq > cut.upTo || !isCopied(event, messageIds, turnIds)) continue;
      copied.push(rest);
      copiedComponents.observe(event);
    }
    yield copied;
    if (isBeyond) break;
  }
  yield restoringEvents(copiedComponents, shown);
  const before = (base?.state ?? initialControl()).shared;
  if (!isDeepStrictEqual(before, control.shared)) yield sharedStateEvents(control.shared);
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
    case "permission_granted":
    case "permission_revoked":
    case "state_snapshot":
    case "state_delta":
      return false;
    case "user_message":
      return event.data.delivery === "steer"
        ? event.turn_id !== undefined && turnIds.has(event.turn_id)
        : messageIds.has(event.data.message_id);
    case "message_deferred":
      return messageIds.has(event.data.message_id);
    case "component_update":
    case "component_remove":
      // What came between turns belongs to none.
      return event.turn_id === undefined || turnIds.has(event.turn_id);
    default:
      if ((isRequest(event) || isResolution(event)) && !isAskedByAgent(event)) return false;
      return event.turn_id !== undefined && turnIds.has(event.turn_id);
  }
}
