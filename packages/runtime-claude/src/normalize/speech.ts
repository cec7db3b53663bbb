import { draft, type EventDraft, type JsonObject } from "@turnwire/protocol";
import type { ClaudeMessageOf, Tokens } from "./message.ts";
import { uiToolFrom } from "../setting/tool-server-name.ts";
import {
  andThen,
  type ClaudeState,
  type OpenMessage,
  type PartialBlock,
  placeOf,
  type Step,
  withEntry,
  withMember,
  withoutEntry,
} from "./state.ts";
import { countCall, progressEvents } from "./usage.ts";

type StreamEvent = ClaudeMessageOf<"stream_event">["event"];
type BlockDelta = Extract<StreamEvent, { type: "content_block_delta" }>["delta"];
type Speaker = string | undefined;

/** One event of a streamed message: text and thoughts go out as they come. */
export function streamSpeech(state: ClaudeState, speaker: Speaker, event: StreamEvent): Step {
  switch (event.type) {
    case "message_start": {
      const { usage = {} } = event.message;
      // What the model writes is counted when it is written.
      const called = countCall(state, { ...usage, output_tokens: 0 });
      return openMessage(withContext(called, speaker, usage), speaker, event.message);
    }
    case "content_block_start":
      return startBlock(state, speaker, event.content_block);
    case "content_block_delta":
      return growBlock(state, speaker, event.delta);
    case "content_block_stop":
      return stopBlock(state, speaker);
    case "message_delta": {
      const next = withContext(state, speaker, { ...state.context, ...event.usage });
      const { stop_reason } = event.delta;
      const written = countCall(next, { output_tokens: event.usage?.output_tokens });
      return [
        change(written, speaker, { stopReason: stop_reason ?? undefined }),
        progressEvents(written),
      ];
    }
    case "message_stop":
      return completeMessage(state, speaker);
    case "ping":
      return [state, []];
  }
}

/** Opens the speaker's message with this id; an earlier one is complete then. */
export function openMessage(
  state: ClaudeState,
  speaker: Speaker,
  { id, model }: { id: string; model?: string | undefined },
): Step {
  const open = state.messages.get(speaker);
  if (open?.id === id) return [state, []];
  return andThen(completeMessage(state, speaker), (next) => {
    const message = { id, model, stopReason: undefined, blocks: [], partial: undefined };
    return [{ ...next, messages: withEntry(next.messages, speaker, message) }, []];
  });
}

/**
 * A whole block of text or thought: what the stream has not brought of it goes out now. The
 * signature of a thought is for the provider alone, and longer than most thoughts.
 */
export function addSpeech(state: ClaudeState, speaker: Speaker, block: JsonObject): Step {
  const message = state.messages.get(speaker);
  if (!message) return [state, []];
  const kind = block["type"] === "thinking" ? "thinking" : "text";
  const { [kind]: spoken } = block;
  const whole = typeof spoken === "string" ? spoken : "";
  const { rest, text, isOver, unclaimed } = claim(message.partial, kind, whole);
  const { signature: _, ...shown } = block;
  const blocks = [...message.blocks, ...unclaimed, { ...shown, [kind]: text }];
  const next = change(state, speaker, { blocks, partial: undefined });
  if (kind === "text") {
    return [next, rest === "" ? [] : [said(message.id, rest, speaker)]];
  }
  const isSaid = whole !== "" && !(isOver && rest === "");
  return [next, isSaid ? [thought(message.id, { text: rest, done: true }, speaker)] : []];
}

/** A block that is not speech: a tool use, or what only the provider understands. */
export function addBlock(state: ClaudeState, speaker: Speaker, block: JsonObject): ClaudeState {
  const message = state.messages.get(speaker);
  if (!message) return state;
  const isClaimed = message.partial?.kind === "tool_use";
  const unclaimed = isClaimed ? [] : blocksFrom(message.partial);
  const blocks = [...message.blocks, ...unclaimed, block];
  return change(state, speaker, { blocks, partial: undefined });
}

/**
 * The CLI (2.1.325) gives up the rest of a stream that broke off, and asks again. What it has made
 * nothing of does not count; where it has, as of an interrupted answer, that is the message.
 */
export function abandonMessage(state: ClaudeState, speaker: Speaker): Step {
  const message = state.messages.get(speaker);
  const isStopping = state.turn?.isStopping === true;
  if (!message || message.blocks.length > 0 || isStopping) return completeMessage(state, speaker);
  const lost = { role: "assistant" as const, content: [] };
  const data = { message_id: message.id, message: lost, retracted: true };
  const isEmpty = !message.partial || message.partial.text === "";
  return [
    closed(state, speaker, message),
    isEmpty ? [] : [draft("message_complete", data, placeOf(speaker))],
  ];
}

/** The speaker's open message is complete, with all that was delivered of it. */
export function completeMessage(state: ClaudeState, speaker: Speaker): Step {
  const message = state.messages.get(speaker);
  if (!message) return [state, []];
  const next = closed(state, speaker, message);
  const content = [...message.blocks, ...blocksFrom(message.partial)];
  if (content.length === 0) return [next, []];
  const whole = {
    role: "assistant" as const,
    content,
    ...(message.model !== undefined && { model: message.model }),
    ...(message.stopReason !== undefined && { stop_reason: message.stopReason }),
  };
  const data = { message_id: message.id, message: whole };
  return [next, [draft("message_complete", data, placeOf(speaker))]];
}

function closed(state: ClaudeState, speaker: Speaker, message: OpenMessage): ClaudeState {
  return {
    ...state,
    messages: withoutEntry(state.messages, speaker),
    completed: withMember(state.completed, message.id),
  };
}

function startBlock(
  state: ClaudeState,
  speaker: Speaker,
  block: { type: string; id?: string | undefined; name?: string | undefined },
): Step {
  const message = state.messages.get(speaker);
  if (!message) return [state, []];
  const blocks = [...message.blocks, ...blocksFrom(message.partial)];
  return [change(state, speaker, { blocks, partial: partialFrom(block) }), []];
}

function partialFrom(block: {
  type: string;
  id?: string | undefined;
  name?: string | undefined;
}): PartialBlock | undefined {
  const { type, id, name } = block;
  if (type === "text" || type === "thinking") return { kind: type, text: "", isOver: false };
  if (type !== "tool_use" || id === undefined || name === undefined) return undefined;
  return { kind: "tool_use", text: "", tool: { id, name }, isOver: false };
}

function growBlock(state: ClaudeState, speaker: Speaker, delta: BlockDelta): Step {
  const message = state.messages.get(speaker);
  const partial = message?.partial;
  if (!message || !partial) return [state, []];
  const piece = pieceOf(partial, delta);
  if (piece === "") return [state, []];
  // A tool's input comes again as a whole, so only text and thoughts are kept for the message.
  const text = partial.kind === "tool_use" ? "" : partial.text + piece;
  const next = change(state, speaker, { partial: { ...partial, text } });
  switch (partial.kind) {
    case "text":
      return [next, [said(message.id, piece, speaker)]];
    case "thinking":
      return [next, [thought(message.id, { text: piece }, speaker)]];
    case "tool_use": {
      const { id = "", name = "" } = partial.tool ?? {};
      const data = {
        message_id: message.id,
        tool_use_id: id,
        tool: name,
        ...uiToolFrom(name),
        partial_json: piece,
      };
      return [next, [draft("tool_input_delta", data, placeOf(speaker))]];
    }
  }
}

function pieceOf({ kind }: PartialBlock, delta: BlockDelta): string {
  const pieces = { text: delta.text, thinking: delta.thinking, tool_use: delta.partial_json };
  return pieces[kind] ?? "";
}

/** The whole block normally came before its stop (2.1.325); an interrupted thought has only the stop. */
function stopBlock(state: ClaudeState, speaker: Speaker): Step {
  const message = state.messages.get(speaker);
  const partial = message?.partial;
  if (!message || !partial || partial.isOver) return [state, []];
  const next = change(state, speaker, { partial: { ...partial, isOver: true } });
  const isThought = partial.kind === "thinking" && partial.text !== "";
  return [next, isThought ? [thought(message.id, { text: "", done: true }, speaker)] : []];
}

interface Claim {
  /** What of the whole text was not delivered. */
  readonly rest: string;
  /** What the block says then: the whole, unless something else was delivered already. */
  readonly text: string;
  /** The stream has said already that the block is over. */
  readonly isOver: boolean;
  /** Streamed blocks that the whole one is not. */
  readonly unclaimed: readonly JsonObject[];
}

function claim(partial: PartialBlock | undefined, kind: string, whole: string): Claim {
  if (partial?.kind !== kind) {
    return { rest: whole, text: whole, isOver: false, unclaimed: blocksFrom(partial) };
  }
  const { text: delivered, isOver } = partial;
  return whole.startsWith(delivered)
    ? { rest: whole.slice(delivered.length), text: whole, isOver, unclaimed: [] }
    : { rest: "", text: delivered, isOver, unclaimed: [] };
}

/** What is known of a block that never came as a whole. */
function blocksFrom(partial: PartialBlock | undefined): readonly JsonObject[] {
  if (!partial || partial.text === "") return [];
  return [{ type: partial.kind, [partial.kind]: partial.text }];
}

function change(state: ClaudeState, speaker: Speaker, changes: Partial<OpenMessage>): ClaudeState {
  const message = state.messages.get(speaker);
  if (!message) return state;
  return { ...state, messages: withEntry(state.messages, speaker, { ...message, ...changes }) };
}

/** What the newest message read and wrote is what the next one starts from. */
function withContext(state: ClaudeState, speaker: Speaker, tokens: Tokens): ClaudeState {
  return speaker === undefined ? { ...state, context: tokens } : state;
}

function said(messageId: string, text: string, speaker: Speaker): EventDraft {
  return draft("delta", { message_id: messageId, text }, placeOf(speaker));
}

function thought(
  messageId: string,
  { text, done }: { text: string; done?: boolean },
  speaker: Speaker,
): EventDraft {
  const data = { message_id: messageId, text, ...(done === true && { done }) };
  return draft("thinking", data, placeOf(speaker));
}
