import { eventData, type JsonObject, type JsonValue, type Surface } from "@turnwire/protocol";
import * as z from "zod";
import type { RequestAnswer } from "../runtime.ts";
import type { UiNews } from "./ui-news.ts";

/** A tool that the agent calls in this process. */
export interface ServedTool<Call extends ToolCall = ToolCall> {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  call(input: JsonObject, call: Call): Promise<ToolAnswer>;
}

/** What a tool does to the UI, as the event that records it. */
export const UiEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("component_update"), data: eventData.component_update }),
  z.object({ type: z.literal("component_remove"), data: eventData.component_remove }),
  z.object({ type: z.literal("state_delta"), data: eventData.state_delta }),
]);
export type UiEvent = z.infer<typeof UiEvent>;

/** A component that is shown until a person has answered in it. */
export interface ComponentQuestion {
  readonly request_id: string;
  readonly component_name: string;
  readonly props: JsonObject;
  readonly surface: Surface;
  readonly tool_use_id?: string;
}

/** One use of a tool, and what it may do meanwhile. */
export interface ToolCall {
  /** Fresh: for whatever the call makes. */
  readonly id: string;
  readonly toolUseId: { readonly tool_use_id?: string };
  /** Aborted when the agent no longer waits for the answer. */
  readonly signal: AbortSignal;
  /** The UI, and what the agent knows of it. */
  readonly news: UiNews;
  /** Resolves when the session has taken it, so that it can be read. */
  readonly emit: (event: UiEvent) => Promise<void>;
  /** Waits for the answer of a person; there is none when the question was withdrawn. */
  readonly askInComponent: (question: ComponentQuestion) => Promise<RequestAnswer | undefined>;
}

/** What the model receives. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError?: boolean;
}

/** An answer from which the model learns what to do otherwise. */
export function refusal(text: string): ToolAnswer {
  return { text, isError: true };
}

/** A value as the model reads it. */
export function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
