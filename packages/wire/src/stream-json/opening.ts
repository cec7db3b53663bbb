import type { Block, Message, SessionState, ToolBlock } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { initFrame, promptFrame } from "./conversation.ts";
import { isAsked, requestFrame } from "./request.ts";
import { lostResultFrame, resultFrame } from "./result.ts";
import {
  blocksOfTurn,
  canSubagentsContinue,
  contentIndex,
  isSpeech,
  openSpeech,
  isInputStreamed,
  speechFrame,
} from "./speech.ts";
import { StreamEvents } from "./stream-events.ts";
import { openTaskFrames } from "./task.ts";
import { SUBAGENT_TOOL, toolResultFrame, toolUseFrame } from "./tool.ts";

/**
 * The conversation so far, then what is open. Of the newest block of a turn that runs no one can
 * tell whether it is finished: it comes as a stream that may continue, every other one as a line.
 */
export function openingFrames(state: SessionState): readonly Frame[] {
  const { last_turn_id: turnId } = state;
  return [
    ...(turnId === null ? [] : [initFrame(state, turnId)]),
    ...conversationFrames(state).flatMap(({ frames }) => frames),
    ...openTaskFrames(state),
    ...Object.values(state.requests).filter(isAsked).map(requestFrame),
  ];
}

/** The frames of each message so far. */
export function conversationFrames(
  state: SessionState,
): readonly { readonly message: Message; readonly frames: readonly Frame[] }[] {
  return state.messages.map((message, index) => ({
    message,
    frames: messageFrames(state, message, index),
  }));
}

function messageFrames(state: SessionState, message: Message, index: number): Frame[] {
  const { turn_id: turnId } = message;
  if (message.role === "user" && turnId === undefined) return [];
  const isRunning = turnId === state.turn?.turn_id;
  const frames =
    message.role === "user"
      ? [promptFrame(state, { message_id: message.id, content: message.content })]
      : blockFrames(state, message.blocks, {
          isRunning,
          canSubagentsContinue: canSubagentsContinue(state, turnId),
          around: blocksOfTurn(state, turnId),
          parentId: undefined,
        });
  const isLastOfTurn = !state.messages
    .slice(index + 1)
    .some((later) => turnId !== undefined && later.turn_id === turnId);
  const { turn } = state;
  if (!isLastOfTurn || turnId === undefined || turnId === turn?.turn_id) {
    const result = message.role === "agent" ? message.result : undefined;
    return result ? [...frames, resultFrame(state, result)] : frames;
  }
  const results = state.messages.flatMap((each) =>
    each.role === "agent" && each.turn_id === turnId && each.result ? [each.result] : [],
  );
  const result = results.at(-1);
  return [...frames, result ? resultFrame(state, result) : lostResultFrame(state, turnId)];
}

function blockFrames(
  state: SessionState,
  blocks: readonly Block[],
  {
    isRunning,
    canSubagentsContinue: canContinue,
    around,
    parentId,
  }: {
    readonly isRunning: boolean;
    readonly canSubagentsContinue: boolean;
    /** What the blocks are counted in: a turn may have several messages. */
    readonly around: readonly Block[];
    readonly parentId: string | undefined;
  },
): Frame[] {
  const open = isRunning ? openSpeech(around) : undefined;
  const place = { blocks: around, last: around.at(-1), isSettled: false, parentId };
  const begun = new Set<string>();
  const streamFor = (block: Block, messageId: string): StreamEvents =>
    new StreamEvents(state, {
      identity: `opening/${state.seq}/${block.key}`,
      parentId,
      messageId,
    });
  const begin = (stream: StreamEvents, messageId: string): Frame[] => {
    if (begun.has(messageId)) return [];
    begun.add(messageId);
    return [stream.messageStart()];
  };
  return blocks.flatMap((block): Frame[] => {
    if (isSpeech(block)) {
      if (block !== open) return [speechFrame(state, parentId, block)];
      const { message_id: messageId, type, text } = block;
      const stream = streamFor(block, messageId);
      const index = contentIndex(place, messageId, block);
      return [
        ...begin(stream, messageId),
        stream.speechStart(index, type),
        stream.speechDelta(index, type, text),
      ];
    }
    if (isInputStreamed(block)) {
      const { message_id: messageId, tool_use_id: id, tool: name, partial_input = "" } = block;
      const stream = streamFor(block, messageId);
      const index = contentIndex(place, messageId, block);
      return [
        ...begin(stream, messageId),
        stream.toolStart(index, { id, name }),
        stream.inputDelta(index, partial_input),
      ];
    }
    if (block.type === "subagent") {
      const { subagent_id: id, message_id: messageId = id, name, output } = block;
      const isOver = block.status === "completed" || block.status === "failed";
      const is_error = block.status === "failed";
      const input = { description: name };
      const use = { messageId, parentId, id, name: SUBAGENT_TOOL, input };
      return [
        toolUseFrame(state, use),
        ...blockFrames(state, block.blocks, {
          isRunning: canContinue && block.status === "running",
          canSubagentsContinue: canContinue && block.status === "running",
          around: block.blocks,
          parentId: id,
        }),
        ...(isOver
          ? [toolResultFrame(state, parentId, { tool_use_id: id, output: output ?? "", is_error })]
          : []),
      ];
    }
    if (block.type !== "tool" || !isStarted(block)) return [];
    const { tool_use_id: id, message_id: messageId = id, tool: name } = block;
    const { input = {}, output = "" } = block;
    const isOver = block.status === "done" || block.status === "failed";
    const is_error = block.status === "failed";
    return [
      toolUseFrame(state, { messageId, parentId, id, name, input }),
      ...(isOver ? [toolResultFrame(state, parentId, { tool_use_id: id, output, is_error })] : []),
    ];
  });
}

/** Others were being written, or only decided about, when their turn ended. */
function isStarted({ status, partial_input, started_at }: ToolBlock): boolean {
  return status !== "preparing" && partial_input === undefined && started_at !== undefined;
}
