import { draft, type EventDraft, JsonValue, type Usage } from "@turnwire/protocol";
import { inspect } from "node:util";
import type { Normalizer } from "@turnwire/runtime";
import { execErrorFrom, wordsOf } from "../normalize/failure.ts";
import { completedItem, startedItem } from "./item.ts";
import { ExecMessage, type ExecTokens } from "./message.ts";
import type { ExecState } from "./state.ts";

export type { ExecState } from "./state.ts";

type Step = readonly [ExecState, readonly EventDraft[]];

const nothing: ExecTokens = { input_tokens: 0, output_tokens: 0 };

/** Translates what `codex exec` says; what it does not know becomes `native`. */
export const execNormalizer: Normalizer<unknown, ExecState> = {
  initial: () => ({
    threadId: "",
    turnId: undefined,
    openTools: [],
    lastText: "",
    used: undefined,
    exitCode: undefined,
  }),
  step(state, message) {
    const known = ExecMessage.safeParse(message);
    return known.success ? translate(state, known.data) : [state, [nativeEvent(message)]];
  },
  end: (state) => closeTools(state),
};

function translate(state: ExecState, message: ExecMessage): Step {
  switch (message.type) {
    case "turnwire/turn_sent": {
      const { turn_id, is_first } = message;
      const used = is_first ? nothing : state.used;
      return [{ ...state, turnId: turn_id, used, lastText: "", exitCode: undefined }, []];
    }
    case "turnwire/exited":
      return [{ ...state, exitCode: message.exit_code }, []];
    case "thread.started":
      return openThread(state, message.thread_id);
    case "turn.started":
      return [state, []];
    case "item.started":
    case "item.updated":
      return startedItem(state, message.item);
    case "item.completed":
      return completedItem(state, message.item);
    case "error":
      // The end of the turn says it again, when it was the end.
      return [state, [retryNotice(message.message)]];
    case "turn.completed":
      return complete(state, message.usage);
    case "turn.failed": {
      const error = execErrorFrom(message.error.message);
      return endTurn(state, { events: [draft("error", error)], subtype: "error", isError: true });
    }
    case "turnwire/warning":
      return [state, [draft("notice", { level: "warning", text: message.message })]];
    case "turnwire/interrupted":
      return endTurn(state, { subtype: "interrupted", isError: false, isStopped: true });
  }
}

/** The model is asked again: one line that counts. */
function retryNotice(message: string): EventDraft {
  return draft("notice", { level: "warning", text: wordsOf(message), notice_id: "retry" });
}

/** Every process says it, also for the thread that it continues. */
function openThread(state: ExecState, threadId: string): Step {
  if (threadId === state.threadId) return [state, []];
  const known = draft("session_updated", { provider_session_id: threadId });
  return [{ ...state, threadId }, [known]];
}

function complete(state: ExecState, total: ExecTokens): Step {
  const usage = state.used && usageFrom(total, state.used);
  const [next, events] = endTurn(state, {
    events: [draft("usage", usageFrom(total))],
    subtype: "success",
    isError: false,
    ...(usage && { usage }),
  });
  return [{ ...next, used: total }, events];
}

interface Ending {
  readonly events?: readonly EventDraft[];
  readonly subtype: string;
  readonly isError: boolean;
  readonly isStopped?: boolean;
  readonly usage?: Usage;
}

function endTurn(state: ExecState, ending: Ending): Step {
  const { events = [], subtype, isError, isStopped, usage } = ending;
  const { turnId, lastText, exitCode } = state;
  const next = { ...state, turnId: undefined, openTools: [] };
  if (turnId === undefined) return [next, [...closeTools(state), ...events]];
  const result = {
    turn_id: turnId,
    subtype,
    is_error: isError,
    ...(lastText && { text: lastText }),
    ...(usage && { usage }),
  };
  const place = { turn_id: turnId };
  const done = {
    turn_id: turnId,
    ...(isStopped && { stopped: true }),
    ...(exitCode !== undefined && { exit_code: exitCode }),
  };
  return [
    next,
    [...closeTools(state), ...events, draft("result", result, place), draft("done", done, place)],
  ];
}

/** A tool that has not ended with its turn never will. */
function closeTools({ openTools }: ExecState): EventDraft[] {
  const output = "The agent ended before the tool did.";
  return openTools.map((tool_use_id) =>
    draft("tool_result", { tool_use_id, output, is_error: true }),
  );
}

function usageFrom(tokens: ExecTokens, before = nothing): Usage {
  const { cached_input_tokens: cached = 0, reasoning_output_tokens: reasoning = 0 } = tokens;
  return {
    input_tokens: tokens.input_tokens - before.input_tokens,
    output_tokens: tokens.output_tokens - before.output_tokens,
    cache_read_tokens: cached - (before.cached_input_tokens ?? 0),
    reasoning_tokens: reasoning - (before.reasoning_output_tokens ?? 0),
  };
}

function nativeEvent(message: unknown): EventDraft {
  const json = JsonValue.safeParse(message);
  const payload = json.success ? json.data : inspect(message);
  return draft("native", { source: "codex-exec", payload });
}
