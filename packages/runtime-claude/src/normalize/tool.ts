import { draft, type EventData, type JsonObject, type JsonValue } from "@turnwire/protocol";
import { uiToolFrom } from "../setting/tool-server-name.ts";
import { planFromResult } from "./plan.ts";
import {
  andThen,
  type ClaudeState,
  forEach,
  type OpenTool,
  placeOf,
  type Step,
  withEntry,
  withMember,
  withoutEntry,
} from "./state.ts";
import { completeMessage } from "./speech.ts";
import * as z from "zod";
import { fileReadFrom, unifiedDiff } from "@turnwire/runtime";

/** `Agent` to the model, `Task` in older transcripts and in the CLI's own list. */
const spawningTools: ReadonlySet<string> = new Set(["Agent", "Task"]);
const readingTools: ReadonlySet<string> = new Set(["Read", "Glob", "Grep", "LS", "NotebookRead"]);

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: JsonValue;
}

/** The tool use that a block is, if it is one. */
export function toolUseFrom(block: JsonObject): ToolUse | undefined {
  const { type, id, name, input = {} } = block;
  const isToolUse = type === "tool_use" && typeof id === "string" && typeof name === "string";
  return isToolUse ? { id, name, input } : undefined;
}

export interface ToolContext {
  readonly speaker: string | undefined;
  readonly messageId: string;
  readonly timestamp: string | undefined;
}

/** A tool begins; one that was announced before does not begin again. */
export function startTool(state: ClaudeState, use: ToolUse, context: ToolContext): Step {
  const { id, name, input } = use;
  if (state.started.has(id)) return [state, []];
  const { speaker, messageId, timestamp } = context;
  const isSpawn = spawningTools.has(name);
  const facts = factsFrom(name, input);
  const { file_path, is_file_read } = facts;
  const tool: OpenTool = {
    name,
    speaker,
    facts: {
      ...(file_path !== undefined && { file_path }),
      ...(is_file_read !== undefined && { is_file_read }),
    },
    isSpawn,
    startedAt: timeFrom(timestamp),
    wasAsked: false,
  };
  const next = {
    ...state,
    tools: withEntry(state.tools, id, tool),
    started: withMember(state.started, id),
    spawned: isSpawn ? withMember(state.spawned, id) : state.spawned,
  };
  const data = {
    message_id: messageId,
    tool_use_id: id,
    tool: name,
    ...uiToolFrom(name),
    input,
    ...facts,
    ...(isSpawn && { subagent_spawn: true, subagent_name: agentName(input) }),
  };
  return [next, [draft("tool_start", data, placeOf(speaker))]];
}

/** A sub-agent whose spawn was not seen is announced, so that what it says has a place. */
export function announceSpawn(
  state: ClaudeState,
  id: string,
  { name, messageId }: { name: string | undefined; messageId: string },
): Step {
  if (state.spawned.has(id)) return [state, []];
  const use = { id, name: "Agent", input: name === undefined ? {} : { subagent_type: name } };
  return startTool(state, use, { speaker: undefined, messageId, timestamp: undefined });
}

export interface ToolOutcome {
  readonly output: JsonValue;
  readonly isError: boolean;
  /** The tool's own result, as the SDK gives it beside the text for the model. */
  readonly details?: JsonValue | undefined;
  readonly timestamp?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** A tool's one result. What a sub-agent left open ends with it. */
export function finishTool(state: ClaudeState, id: string, outcome: ToolOutcome): Step {
  const tool = state.tools.get(id);
  if (!tool) return [state, []];
  const closed: Step = tool.isSpawn ? closeSpeaker(state, id) : [state, []];
  return andThen(closed, (next) => {
    const { isError } = outcome;
    const output = withoutErrorTags(outcome.output);
    const diff = isError ? undefined : diffFrom(outcome.details);
    const durationMs = outcome.durationMs ?? durationOf(tool, outcome);
    const exitCode = exitCodeOf(tool, outcome);
    const data = {
      tool_use_id: id,
      output,
      is_error: isError,
      ...tool.facts,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(durationMs !== undefined && { duration_ms: durationMs }),
      ...(diff !== undefined && { diff }),
    };
    const result = draft("tool_result", data, placeOf(tool.speaker));
    const rest = { ...next, tools: withoutEntry(next.tools, id) };
    if (isError) return [rest, [result]];
    return andThen([rest, [result]], (after) => planFromResult(after, tool, outcome.details));
  });
}

/** The CLI puts what went wrong into tags, for the model. */
function withoutErrorTags(output: JsonValue): JsonValue {
  if (typeof output === "string") return output.replaceAll(/<\/?tool_use_error>/g, "");
  if (!Array.isArray(output)) return output;
  return output.map((part) => {
    const { text } = objectFrom(part);
    return typeof text === "string" ? { ...objectFrom(part), text: withoutErrorTags(text) } : part;
  });
}

/** Every open tool gets its result: nothing will come of it any more. */
export function closeTools(state: ClaudeState, why: string): Step {
  // Inner tools first: a sub-agent's end would close them with other words.
  const ids = [...state.tools.keys()].toReversed();
  return forEach(state, ids, (next, id) => finishTool(next, id, { output: why, isError: true }));
}

/** A sub-agent is over: its message is complete and its tools will not end. */
function closeSpeaker(state: ClaudeState, speaker: string): Step {
  const ids = [...state.tools].flatMap(([id, tool]) => (tool.speaker === speaker ? [id] : []));
  const output = "The sub-agent ended before the tool did.";
  return andThen(completeMessage(state, speaker), (next) =>
    forEach(next, ids, (after, id) => finishTool(after, id, { output, isError: true })),
  );
}

type ToolFacts = Pick<
  EventData<"tool_start">,
  "command" | "file_path" | "pattern" | "search_path" | "is_file_read"
>;

/** The parts of an input that a UI shows without knowing the tool. */
function factsFrom(name: string, input: JsonValue): ToolFacts {
  const { command, file_path, notebook_path, pattern, path } = objectFrom(input);
  const file = file_path ?? notebook_path;
  if (name === "Bash" && typeof command === "string") return { command, ...fileReadFrom(command) };
  return {
    ...(typeof command === "string" && { command }),
    ...(typeof file === "string" && { file_path: file }),
    ...(typeof pattern === "string" && { pattern }),
    ...(typeof path === "string" && { search_path: path }),
    ...(readingTools.has(name) && { is_file_read: true }),
  };
}

function agentName(input: JsonValue): string {
  const { subagent_type, description } = objectFrom(input);
  const name = subagent_type ?? description;
  return typeof name === "string" ? name : "agent";
}

function durationOf(tool: OpenTool, { details, timestamp }: ToolOutcome): number | undefined {
  const { durationMs, totalDurationMs } = objectFrom(details);
  const reported = durationMs ?? totalDurationMs;
  if (typeof reported === "number") return reported;
  const endedAt = timeFrom(timestamp);
  if (tool.wasAsked || tool.startedAt === undefined || endedAt === undefined) return undefined;
  return Math.max(0, endedAt - tool.startedAt);
}

/** A failed command says its code only in its text (2.1.325, fixture `tool`). */
function exitCodeOf(tool: OpenTool, { output, isError, details }: ToolOutcome): number | undefined {
  if (tool.name !== "Bash") return undefined;
  if (isError) {
    const code = typeof output === "string" ? /^Exit code (\d+)/.exec(output)?.[1] : undefined;
    return code === undefined ? undefined : Number(code);
  }
  const { stdout, interrupted, backgroundTaskId } = objectFrom(details);
  const hasEnded = stdout !== undefined && interrupted !== true && backgroundTaskId === undefined;
  return hasEnded ? 0 : undefined;
}

function timeFrom(timestamp: string | undefined): number | undefined {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}

/** The value as an object, or an empty one. */
export function objectFrom(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** What the CLI's tools that change a file report of the change (2.1.325, fixture `edits`). */
const Patched = z.object({
  filePath: z.string(),
  structuredPatch: z
    .array(
      z.object({
        oldStart: z.number(),
        oldLines: z.number(),
        newStart: z.number(),
        newLines: z.number(),
        lines: z.array(z.string()),
      }),
    )
    .min(1),
});

/** What a tool changed, as a unified diff; a file that it made has none. */
function diffFrom(details: JsonValue | undefined): string | undefined {
  const patched = Patched.safeParse(details).data;
  return patched && unifiedDiff(patched.filePath, patched.structuredPatch);
}
