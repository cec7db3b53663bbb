import type { JsonObject, JsonValue } from "@turnwire/protocol";
import type { PendingRequests } from "./pending-requests.ts";
import type { RunMessage } from "./run-message.ts";

/** A tool that the agent calls in this process. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  call(input: JsonObject, call: ToolCall): Promise<ToolAnswer>;
}

/** One use of a tool, and what it may do meanwhile. */
export interface ToolCall {
  /** Fresh: for whatever the call makes. */
  readonly id: string;
  readonly toolUseId: { readonly tool_use_id?: string };
  readonly signal: AbortSignal;
  readonly requests: PendingRequests;
  readonly emit: (message: RunMessage) => void;
}

/** What the model receives. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

/** A value as the model reads it. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
