import { andThen, withEntry } from "@turnwire/runtime";
import type { ItemOf } from "../protocol/item.ts";
import type { CodexMessageOf } from "../protocol/message.ts";
import { closeSpeech } from "./speech.ts";
import { type CodexState, placeOf, type ItemPlace, type Step } from "./state.ts";
import { finishTool, startSpawn, stopTools } from "./tool.ts";
import { toolUseFrom } from "./tool-use.ts";

const spawningTools: ReadonlySet<string> = new Set(["spawnAgent", "resumeAgent"]);

/** Whether a tool use brings a sub-agent to life. */
export function isSpawn({ tool }: ItemOf<"collabAgentToolCall">): boolean {
  return spawningTools.has(tool);
}

/** A sub-agent is asked for; its thread is not known yet. */
export function spawnAgent(
  state: CodexState,
  item: ItemOf<"collabAgentToolCall">,
  itemPlace: ItemPlace,
): Step {
  return startSpawn(state, { id: item.id, name: "agent", use: toolUseFrom(item) }, itemPlace);
}

/** A sub-agent has its thread; it continues until its own turn ends. */
export function nameAgent(
  state: CodexState,
  item: ItemOf<"collabAgentToolCall">,
  itemPlace: ItemPlace,
): Step {
  return andThen(spawnAgent(state, item, itemPlace), (next) => {
    if (item.status !== "completed" || item.receiverThreadIds.length === 0) {
      return finishTool(next, item.id, { output: "The agent did not start.", isError: true });
    }
    return [
      item.receiverThreadIds.reduce((all, id) => adopt(all, id, item.id, itemPlace), next),
      [],
    ];
  });
}

/** The newer kind of sub-agents: Codex reports them when they start and when they end. */
export function followAgent(
  state: CodexState,
  item: ItemOf<"subAgentActivity">,
  itemPlace: ItemPlace,
): Step {
  if (item.kind === "started") {
    const name = item.agentPath.split("/").at(-1) || "agent";
    const use = { name: "spawn_agent", input: { agent_path: item.agentPath }, facts: {} };
    return andThen(startSpawn(state, { id: item.id, name, use }, itemPlace), (next) => [
      adopt(next, item.agentThreadId, item.id, itemPlace),
      [],
    ]);
  }
  if (item.kind !== "interrupted") return [state, []];
  return endAgent(state, item.agentThreadId, { output: "Interrupted.", isError: true });
}

/** A sub-agent's turn is over: its last words are the result of its spawn. */
export function completeAgent(
  state: CodexState,
  { params }: CodexMessageOf<"turn/completed">,
): Step {
  const { threadId, turn } = params;
  const said = turn.items?.findLast(({ type }) => type === "agentMessage")?.["text"];
  const words = typeof said === "string" ? said : (turn.error?.message ?? "");
  return endAgent(state, threadId, { output: words, isError: turn.status !== "completed" });
}

function endAgent(
  state: CodexState,
  threadId: string,
  outcome: { output: string; isError: boolean },
): Step {
  const subagent = state.subagents.get(threadId);
  if (!subagent) return [state, []];
  const silent = andThen(closeSpeech(state, threadId), (next) =>
    stopTools(next, threadId, "The sub-agent ended before the tool did."),
  );
  return andThen(silent, (next) => finishTool(next, subagent.id, outcome));
}

function adopt(state: CodexState, threadId: string, id: string, itemPlace: ItemPlace): CodexState {
  if (state.subagents.has(threadId)) return state;
  const turnId = placeOf(state, itemPlace).turn_id ?? state.turn?.id;
  return { ...state, subagents: withEntry(state.subagents, threadId, { id, turnId }) };
}
