import type { Block, Message, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { initFrame, lostResultFrame, promptFrame, resultFrame } from "./conversation.ts";
import { isAsked, requestFrame } from "./request.ts";
import {
  blocksOfTurn,
  canSubagentsContinue,
  contentIndex,
  isSpeech,
  openSpeech,
  speechFrame,
  StreamEvents,
} from "./speech.ts";
import { toolResultFrame, toolUseFrame } from "./tool.ts";

/**
 * The conversation so far, then what is open. Of the newest block of a turn that runs no one can
 * tell whether it is finished: it comes as a stream that may continue, every other one as a line.
 */
export function openingFrames(state: SessionState): readonly Frame[] {
  const { last_turn_id: turnId } = state;
  return [
    ...(turnId === null ? [] : [initFrame(state, turnId)]),
    ...state.messages.flatMap((message, index) => messageFrames(state, message, index)),
    ...Object.values(state.requests).filter(isAsked).map(requestFrame),
  ];
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
  let messageId: string | undefined;
  return blocks.flatMap((block): Frame[] => {
    if (isSpeech(block)) {
      messageId = block.message_id;
      if (block !== open) return [speechFrame(state, parentId, block)];
      const place = { blocks: around, last: block, isSettled: false, parentId };
      const identity = `opening/${state.seq}/${block.key}`;
      const stream = new StreamEvents(state, { identity, parentId, messageId });
      const index = contentIndex(place, messageId, block);
      return [
        stream.messageStart(),
        stream.blockStart(index, block.type),
        stream.blockDelta(index, block.type, block.text),
      ];
    }
    if (block.type === "subagent") {
      const { subagent_id: id, name, output } = block;
      const isOver = block.status === "completed" || block.status === "failed";
      const is_error = block.status === "failed";
      const input = { description: name };
      const use = { messageId: messageId ?? id, parentId, id, name: "Task", input };
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
    // What still has a partial input was never started.
    if (block.type !== "tool" || block.partial_input !== undefined) return [];
    const { tool_use_id: id, tool: name, input = {}, output = "" } = block;
    const isOver = block.status === "done" || block.status === "failed";
    const is_error = block.status === "failed";
    return [
      toolUseFrame(state, { messageId: messageId ?? id, parentId, id, name, input }),
      ...(isOver ? [toolResultFrame(state, parentId, { tool_use_id: id, output, is_error })] : []),
    ];
  });
}
