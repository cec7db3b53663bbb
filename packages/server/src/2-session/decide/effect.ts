import type { Command, CommandOf, EventData, JsonObject } from "@turnwire/protocol";
import type { RequestAnswer, TurnInput } from "@turnwire/runtime";

/** What a decision wants done to the agent once its events are in the log. */
export type Effect =
  | { readonly type: "interrupt" }
  | { readonly type: "answer"; readonly answer: RequestAnswer }
  /** `message` is what waits for a turn of its own when the steered one is over. */
  | {
      readonly type: "steer";
      readonly input: TurnInput;
      readonly message: EventData<"message_deferred">;
    }
  | { readonly type: "set_model"; readonly model: string | null }
  | { readonly type: "set_effort"; readonly effort: string | null }
  | { readonly type: "set_permission_mode"; readonly mode: string }
  /** All that the agent may do without asking. */
  | { readonly type: "set_grants"; readonly permissions: readonly JsonObject[] }
  | { readonly type: "stop_task"; readonly taskId: string }
  | { readonly type: "read_context" }
  | { readonly type: "reconnect_mcp_server"; readonly name: string }
  | { readonly type: "rename"; readonly title: string }
  | { readonly type: "component_callback"; readonly callback: CommandOf<"component_callback"> }
  | { readonly type: "catalog_updated" }
  | { readonly type: "shared_state" }
  | { readonly type: "close_run" }
  | { readonly type: "set_archived"; readonly isArchived: boolean };

/** Whether a command may become a message that a turn answers. */
export function mayStartTurn({ type }: Command): boolean {
  return type === "user_message" || type === "component_callback";
}
