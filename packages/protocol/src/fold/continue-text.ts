import type { SessionEvent } from "../event/event.ts";
import type { Block } from "../state/block.ts";
import type { AgentMessage, SessionState } from "../state/state.ts";
import { continuedActivity } from "./activity.ts";
import { withBlocks } from "./fold-batch.ts";

/**
 * The state after a delta that continues the text at the end of the newest message; undefined for
 * any other event. Nearly every event of a live session is one, so it gets by without a batch; the
 * state is the same as a batch would give.
 */
export function continueText(state: SessionState, event: SessionEvent): SessionState | undefined {
  if (event.type !== "delta" || event.subagent_id !== undefined) return undefined;
  const message = state.messages[state.messages.length - 1];
  if (message?.role !== "agent" || message.done) return undefined;
  if (message.turn_id !== (event.turn_id ?? state.turn?.turn_id)) return undefined;
  const { message_id, text } = event.data;
  const block = message.blocks[message.blocks.length - 1];
  if (text === "" || block?.type !== "text" || block.message_id !== message_id) return undefined;
  if (block.attachments !== undefined) return undefined;
  const longer: Block = { type: "text", key: block.key, message_id, text: block.text + text };
  return withNewest(state, event.seq, withBlocks(message, withLast(message.blocks, longer)));
}

function withNewest(state: SessionState, seq: number, newest: AgentMessage): SessionState {
  const messages = withLast(state.messages, newest);
  const { session, turn, last_turn_id, queue, requests, outcomes } = state;
  const { shared, shared_version, catalog } = state;
  const { surfaces, tasks, mcp, usage, rate_limits, context } = state;
  const activity = continuedActivity(state, messages, state.activity);
  return {
    seq,
    session,
    turn,
    last_turn_id,
    queue,
    requests,
    outcomes,
    shared,
    shared_version,
    catalog,
    messages,
    activity,
    surfaces,
    tasks,
    mcp,
    usage,
    rate_limits,
    context,
  };
}

function withLast<Item>(items: readonly Item[], last: Item): readonly Item[] {
  const copy = items.slice();
  copy[items.length - 1] = last;
  return copy;
}
