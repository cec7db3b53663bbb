import type { Attachment, Block, HasAttachments, SessionState } from "@turnwire/protocol";

/** Everything beside the log that a state refers to. */
export function attachmentsOf(state: SessionState): Attachment[] {
  const holders: HasAttachments[] = [
    ...state.queue,
    ...Object.values(state.requests),
    ...Object.values(state.tasks),
    ...Object.values(state.surfaces).flat(),
    ...state.messages.flatMap((message): readonly HasAttachments[] =>
      message.role === "user" ? [message] : blocksWithin(message.blocks),
    ),
  ];
  return holders.flatMap(({ attachments = [] }) => attachments);
}

function blocksWithin(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.type === "subagent" ? [block, ...blocksWithin(block.blocks)] : [block],
  );
}
