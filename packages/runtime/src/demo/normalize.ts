import { draft, type EventDraft, type JsonObject, JsonValue } from "@turnwire/protocol";
import { inspect } from "node:util";
import type { Normalizer } from "../normalizer.ts";
import { eventFromMessage, isStateless, placeOf } from "./event.ts";
import { DemoMessage, type DemoMessageOf } from "./stage/message.ts";

interface OpenMessage {
  readonly agent: string | undefined;
  readonly blocks: readonly JsonObject[];
}

interface OpenTool {
  readonly agent: string | undefined;
  readonly place: { readonly file_path?: string; readonly is_file_read?: boolean };
}

/** What has begun and not ended yet. */
export interface DemoState {
  readonly messages: Readonly<Record<string, OpenMessage>>;
  readonly tools: Readonly<Record<string, OpenTool>>;
  /** Background tasks: the only things that outlive a turn. */
  readonly tasks: Readonly<Record<string, DemoMessageOf<"task">>>;
  /** What the main agent said last: the turn's result text. */
  readonly lastText: string;
}

type Step = readonly [DemoState, readonly EventDraft[]];

const nothingOpen: DemoState = { messages: {}, tools: {}, tasks: {}, lastText: "" };

/** Translates the demo agent's messages; one that it does not know becomes `native`. */
export const demoNormalizer: Normalizer<unknown, DemoState> = {
  initial: () => nothingOpen,
  step(state, message) {
    const known = DemoMessage.safeParse(message);
    return known.success ? translate(state, known.data) : [state, [nativeFrom(message)]];
  },
  end: (state) => [
    ...closeMessages(state)[1],
    ...closeTools(state, "The agent was gone before the tool ended."),
    ...closeTasks(state),
  ],
};

function translate(state: DemoState, message: DemoMessage): Step {
  if (isStateless(message)) return [state, [eventFromMessage(message)]];
  switch (message.type) {
    case "text":
      return say(state, message);
    case "thought":
      return think(state, message);
    case "message_end":
      return endMessage(state, message.message, message.model);
    case "tool_begin":
      return beginTool(state, message);
    case "tool_end":
      return endTool(state, message);
    case "task":
      return reportTask(state, message);
    case "turn_end":
      return endTurn(state, message);
  }
}

function say(state: DemoState, message: DemoMessageOf<"text">): Step {
  const data = { message_id: message.message, text: message.text };
  const next = grow(state, message, { key: "text", text: message.text });
  return [next, [draft("delta", data, placeOf(message))]];
}

function think(state: DemoState, message: DemoMessageOf<"thought">): Step {
  const data = {
    message_id: message.message,
    text: message.text,
    ...(message.is_last && { done: true }),
  };
  const next = grow(state, message, { key: "thinking", text: message.text });
  return [next, [draft("thinking", data, placeOf(message))]];
}

function beginTool(state: DemoState, message: DemoMessageOf<"tool_begin">): Step {
  const { tool_use, tool, input, spawns } = message;
  const place = placeFromInput(tool, input);
  const block = { type: "tool_use", id: tool_use, name: tool, input };
  const next = {
    ...addBlock(state, message, block),
    tools: { ...state.tools, [tool_use]: { agent: message.agent, place: resultPlace(place) } },
  };
  const data = {
    message_id: message.message,
    tool_use_id: tool_use,
    tool,
    input,
    ...place,
    ...(spawns !== undefined && { subagent_spawn: true, subagent_name: spawns }),
  };
  return [next, [draft("tool_start", data, placeOf(message))]];
}

function endTool(state: DemoState, message: DemoMessageOf<"tool_end">): Step {
  const [tool, tools] = take(state.tools, message.tool_use);
  const data = {
    tool_use_id: message.tool_use,
    output: message.output,
    is_error: message.failed,
    ...tool?.place,
    ...(message.exit_code !== undefined && { exit_code: message.exit_code }),
    ...(message.ms !== undefined && { duration_ms: message.ms }),
  };
  return [{ ...state, tools }, [draft("tool_result", data, placeOf(message))]];
}

function endMessage(state: DemoState, id: string, model?: string): Step {
  const [open, messages] = take(state.messages, id);
  if (!open) return [state, []];
  const lastText = open.agent === undefined ? textFromBlocks(open.blocks) : state.lastText;
  const message = {
    role: "assistant" as const,
    content: [...open.blocks],
    ...(model && { model }),
  };
  const event = draft("message_complete", { message_id: id, message }, placeOf(open));
  return [{ ...state, messages, lastText: lastText || state.lastText }, [event]];
}

function reportTask(state: DemoState, message: DemoMessageOf<"task">): Step {
  const [, others] = take(state.tasks, message.task);
  const tasks = message.status === "running" ? { ...others, [message.task]: message } : others;
  return [{ ...state, tasks }, [taskEvent(message)]];
}

/** A task may outlive its turn, so its events name the turn themselves. */
function taskEvent(message: DemoMessageOf<"task">): EventDraft {
  const { turn, task, status, description, summary, tool_use } = message;
  const data = {
    task_id: task,
    status,
    description,
    ...(tool_use !== undefined && { tool_use_id: tool_use }),
    ...(summary !== undefined && { summary }),
  };
  return draft("task", data, { turn_id: turn });
}

const endings = {
  finished: { subtype: "success", is_error: false },
  interrupted: { subtype: "interrupted", is_error: false },
  failed: { subtype: "error_during_execution", is_error: true },
} as const;

function endTurn(state: DemoState, message: DemoMessageOf<"turn_end">): Step {
  const { turn, reason, ms, usage, cost } = message;
  const [closed, events] = closeMessages(state);
  const result = draft("result", {
    turn_id: turn,
    ...endings[reason],
    ...(closed.lastText && { text: closed.lastText }),
    usage,
    total_cost_usd: cost,
    duration_ms: ms,
  });
  const done = draft("done", {
    turn_id: turn,
    ...(reason === "interrupted" && { stopped: true }),
  });
  const next = { ...nothingOpen, tasks: state.tasks };
  return [next, [...events, ...closeTools(state, "Interrupted."), result, done]];
}

function closeMessages(state: DemoState): Step {
  let rest = state;
  const events: EventDraft[] = [];
  for (const id of Object.keys(state.messages)) {
    const [next, completed] = endMessage(rest, id);
    rest = next;
    events.push(...completed);
  }
  return [rest, events];
}

function closeTools(state: DemoState, why: string): EventDraft[] {
  return Object.entries(state.tools).map(([id, tool]) =>
    draft(
      "tool_result",
      { tool_use_id: id, output: why, is_error: true, ...tool.place },
      placeOf(tool),
    ),
  );
}

function closeTasks(state: DemoState): EventDraft[] {
  return Object.values(state.tasks).map((task) =>
    taskEvent({ ...task, status: "stopped", summary: "The agent is gone." }),
  );
}

/** Lengthens the message's last block, or opens one when the last is of another kind. */
function grow(
  state: DemoState,
  message: { message: string; agent?: string | undefined },
  piece: { key: "text" | "thinking"; text: string },
): DemoState {
  const blocks = state.messages[message.message]?.blocks ?? [];
  const last = blocks.at(-1);
  const earlier = last?.type === piece.key ? last[piece.key] : undefined;
  if (typeof earlier !== "string") {
    return addBlock(state, message, { type: piece.key, [piece.key]: piece.text });
  }
  const grown = { type: piece.key, [piece.key]: earlier + piece.text };
  return withBlocks(state, message, [...blocks.slice(0, -1), grown]);
}

function addBlock(
  state: DemoState,
  message: { message: string; agent?: string | undefined },
  block: JsonObject,
): DemoState {
  return withBlocks(state, message, [...(state.messages[message.message]?.blocks ?? []), block]);
}

/** An entry and the record without it; ids are foreign, so `constructor` must not find anything. */
function take<Value>(
  record: Readonly<Record<string, Value>>,
  id: string,
): [Value | undefined, Readonly<Record<string, Value>>] {
  if (!Object.hasOwn(record, id)) return [undefined, record];
  const { [id]: value, ...others } = record;
  return [value, others];
}

function withBlocks(
  state: DemoState,
  { message, agent }: { message: string; agent?: string | undefined },
  blocks: readonly JsonObject[],
): DemoState {
  return { ...state, messages: { ...state.messages, [message]: { agent, blocks } } };
}

const readingTools = new Set(["Read", "Glob", "Grep"]);

/** The parts of a tool's input that a UI shows without knowing the tool. */
function placeFromInput(tool: string, input: JsonObject) {
  const { command, file_path, pattern, path } = input;
  return {
    ...(typeof command === "string" && { command }),
    ...(typeof file_path === "string" && { file_path }),
    ...(typeof pattern === "string" && { pattern }),
    ...(typeof path === "string" && { search_path: path }),
    ...(readingTools.has(tool) && { is_file_read: true }),
  };
}

function resultPlace(place: ReturnType<typeof placeFromInput>): OpenTool["place"] {
  const { file_path, is_file_read } = place;
  return {
    ...(file_path !== undefined && { file_path }),
    ...(is_file_read && { is_file_read }),
  };
}

function textFromBlocks(blocks: readonly JsonObject[]): string {
  return blocks.flatMap((block) => (typeof block.text === "string" ? [block.text] : [])).join("");
}

function nativeFrom(message: unknown): EventDraft {
  const json = JsonValue.safeParse(message);
  return draft("native", { source: "demo", payload: json.success ? json.data : inspect(message) });
}
