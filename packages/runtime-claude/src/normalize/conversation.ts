import { draft, type JsonObject, type JsonValue } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "./message.ts";
import { nativeEvent } from "./native.ts";
import { commandNotices } from "./remark.ts";
import { abandonMessage, addBlock, addSpeech, openMessage, streamSpeech } from "./speech.ts";
import {
  andThen,
  type ClaudeState,
  forEach,
  placeOf,
  type Step,
  withEntry,
  withMember,
} from "./state.ts";
import { announceSpawn, finishTool, objectFrom, startTool, toolUseFrom } from "./tool.ts";
import { ensureTurn } from "./turn.ts";

type Assistant = ClaudeMessageOf<"assistant">;
type User = ClaudeMessageOf<"user">;

/** The CLI itself speaks under this name: errors, and the output of commands. */
const synthetic = "<synthetic>";

/** A streamed piece of a message. */
export function takeStream(state: ClaudeState, message: ClaudeMessageOf<"stream_event">): Step {
  const { event, parent_tool_use_id: parent, uuid } = message;
  const speaker = parent ?? undefined;
  if (event.type === "message_stop" && message.abandoned_blocks) {
    return abandonMessage(state, speaker);
  }
  if (event.type !== "message_start") return streamSpeech(state, speaker, event);
  const placed =
    speaker === undefined
      ? ensureTurn(state, uuid)
      : announceSpawn(state, speaker, {
          name: message.subagent_type,
          messageId: event.message.id,
        });
  return andThen(placed, (next) => streamSpeech(next, speaker, event));
}

/** One or more whole blocks of a message; the others come under the same id. */
export function takeAssistant(state: ClaudeState, message: Assistant): Step {
  const speaker = message.parent_tool_use_id ?? undefined;
  const isSynthetic = message.message.model === synthetic;
  if (isSynthetic && message.error !== undefined) return takeFailure(state, message);
  // Outside a turn this answers a command that our own run has sent.
  if (isSynthetic && !state.turn) return [state, [nativeEvent({ ...message })]];
  const placed = andThen(learnAgent(state, message), (next) =>
    speaker === undefined
      ? ensureTurn(next, message.uuid)
      : announceSpawn(next, speaker, {
          name: message.subagent_type,
          messageId: message.message.id,
        }),
  );
  return andThen(placed, (next) => takeBlocks(next, message, speaker));
}

function takeBlocks(
  state: ClaudeState,
  { message, timestamp }: Assistant,
  speaker: string | undefined,
): Step {
  const { id: messageId, content, model } = message;
  const isLate = state.completed.has(messageId);
  const shown = model === synthetic ? undefined : model;
  const opened: Step = isLate
    ? [state, []]
    : openMessage(state, speaker, { id: messageId, model: shown });
  return andThen(opened, (open) =>
    forEach(open, content, (next, block) => {
      const use = toolUseFrom(block);
      if (use) {
        const added = isLate ? next : addBlock(next, speaker, block);
        return startTool(added, use, { speaker, messageId, timestamp });
      }
      if (isLate) return [next, []];
      return isSpeech(block)
        ? addSpeech(next, speaker, block)
        : [addBlock(next, speaker, block), []];
    }),
  );
}

/** What the CLI adds in the user's name: tool results, and what a command printed. */
export function takeUser(state: ClaudeState, message: User): Step {
  const { content } = message.message;
  if (typeof content === "string") {
    return [state, message.isReplay === true ? commandNotices(content) : []];
  }
  return andThen(learnAgent(state, message), (next) =>
    forEach(next, content, (after, block) => takeToolResult(after, block, message)),
  );
}

function takeToolResult(state: ClaudeState, block: JsonObject, message: User): Step {
  const { type, tool_use_id: id, content = "", is_error } = block;
  if (type !== "tool_result" || typeof id !== "string") return [state, []];
  const tool = state.tools.get(id);
  if (!tool) return [state, [nativeEvent({ ...block })]];
  const details = message.tool_use_result;
  const isError = is_error === true;
  if (tool.isSpawn && objectFrom(details)["status"] === "async_launched") {
    return [{ ...state, background: withMember(state.background, id) }, []];
  }
  const output = tool.isSpawn ? (reportFrom(details) ?? tool.report ?? content) : content;
  return finishTool(state, id, { output, isError, details, timestamp: message.timestamp });
}

/** A sub-agent's report without the CLI's frame around it, which is for the model. */
function reportFrom(details: JsonValue | undefined): string | undefined {
  const { content, harnessNoteCount, harnessTailCount } = objectFrom(details);
  if (!Array.isArray(content)) return undefined;
  const first = typeof harnessNoteCount === "number" ? harnessNoteCount : 0;
  const last = content.length - (typeof harnessTailCount === "number" ? harnessTailCount : 0);
  const texts = content.slice(first, last).map((part) => objectFrom(part)["text"]);
  return texts.filter((text) => typeof text === "string").join("\n");
}

/** Errors that may be gone when the same is tried again. */
const passing: ReadonlySet<string> = new Set(["rate_limit", "overloaded", "server_error"]);

/** An API error arrives as if the model had said it. */
function takeFailure(state: ClaudeState, { message, error = "unknown", ...by }: Assistant): Step {
  const texts = message.content.map(({ text }) => text).filter((text) => typeof text === "string");
  const speaker = by.parent_tool_use_id ?? undefined;
  const code = message.stop_reason === "refusal" ? "refusal" : error;
  const data = { code, message: texts.join("\n"), retryable: passing.has(code) };
  const isKnown = speaker === undefined || state.spawned.has(speaker);
  return [state, [draft("error", data, placeOf(isKnown ? speaker : undefined))]];
}

function learnAgent(state: ClaudeState, { agent_id, parent_tool_use_id }: Assistant | User): Step {
  if (agent_id === undefined || typeof parent_tool_use_id !== "string") return [state, []];
  if (state.agents.get(agent_id) === parent_tool_use_id) return [state, []];
  return [{ ...state, agents: withEntry(state.agents, agent_id, parent_tool_use_id) }, []];
}

function isSpeech({ type }: JsonObject): boolean {
  return type === "text" || type === "thinking";
}
