/** The native words of `codex exec --json`, and what the run says among them. */
import { JsonValue } from "@turnwire/protocol";
import * as z from "zod";

const id = { id: z.string() };

const Item = z.discriminatedUnion("type", [
  z.object({ ...id, type: z.literal("agent_message"), text: z.string() }),
  z.object({ ...id, type: z.literal("reasoning"), text: z.string() }),
  z.object({
    ...id,
    type: z.literal("command_execution"),
    command: z.string(),
    aggregated_output: z.string(),
    exit_code: z.int().nullish(),
    status: z.string(),
  }),
  z.object({
    ...id,
    type: z.literal("file_change"),
    changes: z.array(z.object({ path: z.string(), kind: z.string() })),
    status: z.string(),
  }),
  z.object({
    ...id,
    type: z.literal("mcp_tool_call"),
    server: z.string(),
    tool: z.string(),
    arguments: JsonValue.optional(),
    result: JsonValue.optional(),
    error: z.object({ message: z.string() }).nullish(),
    status: z.string(),
  }),
  z.object({
    ...id,
    type: z.literal("todo_list"),
    items: z.array(z.object({ text: z.string(), completed: z.boolean() })),
  }),
  z.object({ ...id, type: z.literal("web_search"), query: z.string() }),
  z.object({ ...id, type: z.literal("error"), message: z.string() }),
]);
export type ExecItem = z.infer<typeof Item>;
export type ExecItemOf<Type extends ExecItem["type"]> = Extract<ExecItem, { type: Type }>;

/** The tokens of the whole thread so far, also of its turns in earlier processes. */
const Tokens = z.object({
  input_tokens: z.number(),
  cached_input_tokens: z.number().optional(),
  output_tokens: z.number(),
  reasoning_output_tokens: z.number().optional(),
});
export type ExecTokens = z.infer<typeof Tokens>;

/** Ids of items start again at `item_0` in every process. */
export const ExecMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.started"), thread_id: z.string() }),
  z.object({ type: z.literal("turn.started") }),
  z.object({ type: z.literal("item.started"), item: Item }),
  z.object({ type: z.literal("item.updated"), item: Item }),
  z.object({ type: z.literal("item.completed"), item: Item }),
  z.object({ type: z.literal("turn.completed"), usage: Tokens }),
  z.object({ type: z.literal("turn.failed"), error: z.object({ message: z.string() }) }),
  z.object({ type: z.literal("error"), message: z.string() }),
  /** A turn is handed over; `is_first` when its thread has none before it. */
  z.object({ type: z.literal("turnwire/turn_sent"), turn_id: z.string(), is_first: z.boolean() }),
  /** The process was ended because a person stopped the turn. */
  z.object({ type: z.literal("turnwire/interrupted") }),
  /** The process of the turn is gone; its end follows. */
  z.object({ type: z.literal("turnwire/exited"), exit_code: z.int() }),
  z.object({ type: z.literal("turnwire/warning"), message: z.string() }),
]);
export type ExecMessage = z.infer<typeof ExecMessage>;
