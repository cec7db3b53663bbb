import type { JsonObject } from "@turnwire/protocol";

/** What our own run puts between the SDK's messages, so that the normalizer sees it in order. */
export type InjectedMessage =
  | { readonly type: "turnwire/turn_sent"; readonly turn_id: string; readonly uuid: string }
  | { readonly type: "turnwire/steer_sent"; readonly uuid: string }
  | { readonly type: "turnwire/interrupt_sent" }
  | {
      readonly type: "turnwire/ask";
      readonly request_id: string;
      readonly tool_name: string;
      readonly input: JsonObject;
      readonly tool_use_id: string;
      readonly agent_id?: string;
      readonly suggestions?: readonly JsonObject[];
      readonly context: JsonObject;
    }
  | {
      readonly type: "turnwire/hook_ask";
      readonly request_id: string;
      readonly hook_event: string;
      readonly input: JsonObject;
      readonly tool_use_id?: string;
    }
  | { readonly type: "turnwire/ask_cancelled"; readonly request_id: string }
  | {
      readonly type: "turnwire/run_info";
      /** The provider session to go on with. */
      readonly session_id?: string;
      readonly slash_commands?: readonly { readonly name: string; readonly description?: string }[];
      readonly models?: readonly { readonly id: string; readonly label?: string }[];
    };
