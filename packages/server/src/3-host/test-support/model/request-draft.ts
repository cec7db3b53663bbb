import { type CommandOf, draft, type EventDraft, type RequestType } from "@turnwire/protocol";

/** What an agent asks; a budget is asked for by the session. */
export type AgentRequestType = Exclude<RequestType, "budget_request">;

/** What an agent asks, in one of the five ways there are. */
export function requestDraft(type: AgentRequestType, id: string): EventDraft {
  switch (type) {
    case "permission_request":
      return draft("permission_request", { correlation_id: id, tool_name: "Bash", tool_input: {} });
    case "question_request":
      return draft("question_request", {
        correlation_id: id,
        questions: [{ question: "Which?", options: [{ label: "A" }] }],
      });
    case "hook_request":
      return draft("hook_request", { correlation_id: id, hook_event: "Stop", hook_input: {} });
    case "interrupt":
      return draft("interrupt", {
        interrupt_id: id,
        component_name: "form",
        props: {},
        surface: "chat",
      });
    case "tool_call_request":
      return draft("tool_call_request", { correlation_id: id, tool_name: "pick", input: {} });
  }
}

/** The answer that fits a request. */
export function answerTo(
  type: RequestType,
  id: string,
):
  | CommandOf<"permission_response">
  | CommandOf<"question_response">
  | CommandOf<"hook_response">
  | CommandOf<"interrupt_response">
  | CommandOf<"tool_call_response">
  | CommandOf<"budget_response"> {
  switch (type) {
    case "permission_request":
      return { type: "permission_response", correlation_id: id, behavior: "allow" };
    case "question_request":
      return { type: "question_response", correlation_id: id, answers: { "Which?": "A" } };
    case "hook_request":
      return { type: "hook_response", correlation_id: id, decision: {} };
    case "interrupt":
      return { type: "interrupt_response", interrupt_id: id, value: 1 };
    case "tool_call_request":
      return { type: "tool_call_response", correlation_id: id, output: "x" };
    case "budget_request":
      return { type: "budget_response", correlation_id: id, decision: "raise", budget: null };
  }
}
