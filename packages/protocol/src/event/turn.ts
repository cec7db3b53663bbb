import * as z from "zod";
import { ContentBlock } from "../content.ts";
import { JsonObject } from "../json.ts";

/** turn: starts one; queue: waits for the running one to end; steer: joins the running one. */
export const Delivery = z.enum(["turn", "queue", "steer"]);
export type Delivery = z.infer<typeof Delivery>;

/** Tokens and money, as far as the runtime reports them. */
export const Usage = z.object({
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cache_read_tokens: z.number().optional(),
  cache_write_tokens: z.number().optional(),
  reasoning_tokens: z.number().optional(),
  context_tokens: z.number().optional(),
  context_window: z.number().optional(),
});
export type Usage = z.infer<typeof Usage>;

export const turnEventData = {
  user_message: z.object({
    message_id: z.string(),
    client_message_id: z.string().optional(),
    content: z.array(ContentBlock),
    delivery: Delivery,
    context: JsonObject.optional(),
    by: z.string().optional(),
  }),
  /** The turn that a message was meant to steer had ended: it waits for a turn of its own instead. */
  message_deferred: z.object({
    message_id: z.string(),
    client_message_id: z.string().optional(),
    content: z.array(ContentBlock),
    context: JsonObject.optional(),
    by: z.string().optional(),
  }),
  /** A message that waited for its turn gets none. */
  message_cancelled: z.object({ message_id: z.string(), by: z.string().optional() }),
  turn_started: z.object({
    turn_id: z.string(),
    /** The user message the turn answers; a runtime that starts a turn by itself has none. */
    message_id: z.string().optional(),
  }),
  result: z.object({
    turn_id: z.string(),
    subtype: z.string(),
    is_error: z.boolean(),
    text: z.string().optional(),
    /** What this turn used. */
    usage: Usage.optional(),
    /** What this turn cost; the session's sum is in `usage` events. */
    total_cost_usd: z.number().optional(),
    duration_ms: z.number().optional(),
  }),
  done: z.object({
    turn_id: z.string(),
    /** True when a person stopped the turn. */
    stopped: z.boolean().optional(),
    exit_code: z.int().nullable().optional(),
  }),
  rolled_back: z.object({
    /** The first turn that no longer belongs to the conversation; all after it go too. */
    turn_id: z.string(),
    files_restored: z.array(z.string()).optional(),
    by: z.string().optional(),
  }),
  compacted: z.object({
    summary: z.string().optional(),
    tokens_before: z.number().optional(),
    tokens_after: z.number().optional(),
  }),
};
