import { draft, type EventDraft } from "@turnwire/protocol";
import type { CodexMessageOf } from "../protocol/message.ts";
import { type CodexState, isRoot, placeOf, type Step } from "./state.ts";

type Remark = CodexMessageOf<
  | "warning"
  | "guardianWarning"
  | "configWarning"
  | "model/rerouted"
  | "mcpServer/startupStatus/updated"
  | "thread/name/updated"
>;

/** What Codex says beside the conversation. */
export function remarksOn(state: CodexState, { method, params }: Remark): EventDraft[] {
  switch (method) {
    case "warning":
    case "guardianWarning":
      // A sub-agent's warnings are those of the agent above.
      return params.threadId && !isRoot(state, params.threadId) ? [] : [warning(params.message)];
    case "configWarning":
      return [warning(params.summary)];
    case "model/rerouted":
      return [warning(`The model ${params.fromModel} was replaced by ${params.toModel}.`)];
    case "mcpServer/startupStatus/updated":
      return [draft("mcp_status", { server_name: params.name, status: params.status })];
    case "thread/name/updated": {
      const { threadId, threadName } = params;
      const isOurs = threadName && isRoot(state, threadId);
      return isOurs ? [draft("session_updated", { title: threadName })] : [];
    }
  }
}

/** Codex repeats the whole diff of a turn with every step. */
export function takeDiff(state: CodexState, { params }: CodexMessageOf<"turn/diff/updated">): Step {
  const { turn } = state;
  const isKnown = !turn || turn.diff === params.diff || !isRoot(state, params.threadId);
  if (isKnown) return [state, []];
  const event = draft("diff", { unified: params.diff }, placeOf(state, params));
  return [{ ...state, turn: { ...turn, diff: params.diff } }, [event]];
}

export function planEvent(
  state: CodexState,
  { params }: CodexMessageOf<"turn/plan/updated">,
): EventDraft {
  const { explanation, plan } = params;
  const steps = plan.map(({ step, status }) => ({ text: step, status: planStatus(status) }));
  const data = { steps, ...(explanation && { explanation }) };
  return draft("plan", data, placeOf(state, params));
}

function planStatus(status: string): "pending" | "in_progress" | "completed" {
  if (status === "completed") return "completed";
  return status === "inProgress" ? "in_progress" : "pending";
}

function warning(text: string): EventDraft {
  return draft("notice", { level: "warning", text });
}
