import { draft } from "@turnwire/protocol";
import { andThen } from "@turnwire/runtime";
import { type Item, itemFrom } from "../protocol/item.ts";
import type { CodexMessageOf } from "../protocol/message.ts";
import { nativeEvent } from "./native.ts";
import { closeSpeech, completeMessage, completeThought } from "./speech.ts";
import { type CodexState, isRoot, placeOf, type ItemPlace, type Step } from "./state.ts";
import { followAgent, isSpawn, nameAgent, spawnAgent } from "./subagent.ts";
import { completeTool, startTool } from "./tool.ts";
import { admitTurn } from "./turn.ts";

type ItemMessage = CodexMessageOf<"item/started" | "item/completed">;

/** A piece of a turn begins or is whole. */
export function takeItem(state: CodexState, message: ItemMessage): Step {
  const { threadId, turnId } = message.params;
  const itemPlace = { threadId, turnId };
  const item = itemFrom(message.params.item);
  if (!item) return [state, [nativeEvent(message)]];
  const isOwnWork = item.type !== "contextCompaction" && isRoot(state, threadId);
  const begun: Step = isOwnWork ? admitTurn(state, turnId) : [state, []];
  return andThen(begun, (next) =>
    message.method === "item/started"
      ? begin(next, item, itemPlace)
      : complete(next, item, itemPlace),
  );
}

function begin(state: CodexState, item: Item, itemPlace: ItemPlace): Step {
  switch (item.type) {
    case "userMessage":
      // Somebody spoke into the turn: Codex drops what it was saying and never completes it.
      return closeSpeech(state, itemPlace.threadId);
    case "agentMessage":
    case "reasoning":
    case "plan":
    case "enteredReviewMode":
    case "exitedReviewMode":
      return [state, []];
    case "contextCompaction":
      return [{ ...state, contextBefore: state.context.context_tokens }, []];
    case "subAgentActivity":
      return followAgent(state, item, itemPlace);
    case "collabAgentToolCall":
      return isSpawn(item) ? spawnAgent(state, item, itemPlace) : startTool(state, item, itemPlace);
    default:
      return startTool(state, item, itemPlace);
  }
}

function complete(state: CodexState, item: Item, itemPlace: ItemPlace): Step {
  switch (item.type) {
    case "userMessage":
    case "enteredReviewMode":
    case "exitedReviewMode":
      return [state, []];
    case "agentMessage":
      return completeMessage(state, item, itemPlace);
    case "reasoning":
      return completeThought(state, item, itemPlace);
    case "plan": {
      const data = { steps: [], explanation: item.text };
      return [state, [draft("plan", data, placeOf(state, itemPlace))]];
    }
    case "contextCompaction":
      return [state, [draft("compacted", compactionOf(state), placeOf(state, itemPlace))]];
    case "subAgentActivity":
      return followAgent(state, item, itemPlace);
    case "collabAgentToolCall":
      if (isSpawn(item)) return nameAgent(state, item, itemPlace);
      return andThen(startTool(state, item, itemPlace), (next) => completeTool(next, item));
    default:
      return andThen(startTool(state, item, itemPlace), (next) => completeTool(next, item));
  }
}

function compactionOf({ context, contextBefore }: CodexState) {
  const { context_tokens: contextAfter } = context;
  return {
    ...(contextBefore !== undefined && { tokens_before: contextBefore }),
    ...(contextAfter !== undefined && { tokens_after: contextAfter }),
  };
}
