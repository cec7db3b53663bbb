import * as z from "zod";
import { ContentBlock } from "../part/content.ts";
import { JsonObject, JsonValue } from "../json/json.ts";
import { ReviewTarget } from "../part/review.ts";
import { by } from "./by.ts";

export const Delivery = z
  .enum(["turn", "queue", "steer"])
  .describe(
    "`turn`: starts a turn; `queue`: waits for the running turn to end; `steer`: joins the running turn.",
  );
export type Delivery = z.infer<typeof Delivery>;

const tokens = z.number().optional();

export const Usage = z
  .object({
    input_tokens: tokens.describe("Tokens sent to the model."),
    output_tokens: tokens.describe("Tokens that the model wrote."),
    cache_read_tokens: tokens.describe("Input tokens that were read from the provider's cache."),
    cache_write_tokens: tokens.describe("Input tokens that were written to the provider's cache."),
    reasoning_tokens: tokens.describe("Output tokens spent on reasoning."),
    context_tokens: tokens.describe("Tokens in the model's context now."),
    context_window: tokens.describe("Tokens that the model's context can hold."),
  })
  .meta({ id: "Usage" })
  .describe("Token counts, as far as the runtime reports them.");
export type Usage = z.infer<typeof Usage>;

const messageId = z.string().describe("The server's id of the message.");
const clientMessageId = z.string().optional().describe("The sender's own id of the message.");
const content = z.array(ContentBlock).describe("What was said, as a list of blocks.");
/** On a message, as command and as event. */
export const isUnattended = z
  .literal(true)
  .optional()
  .describe(
    "No one is there to be asked during the turn that it starts: what would be asked is refused at once.",
  );
const callback = z
  .object({
    component_id: z.string().describe("The component's id."),
    name: z.string().describe("The component's name."),
    action: z.string().describe("What happened, in the component's own words."),
    payload: JsonObject.describe("The data that belongs to the action."),
  })
  .optional()
  .describe(
    "What a person did in a component, where the message comes from there; `content` says the same in words for the agent.",
  );
/** On a message, as command and as event. */
export const review = ReviewTarget.optional().describe(
  "Makes the turn a review: the agent looks at these changes and says what it found; `content` says the same in words for people.",
);
const context = JsonObject.optional().describe("Data that the sender attached for the agent.");

export const turnEventData = {
  user_message: z
    .object({
      message_id: messageId,
      client_message_id: clientMessageId,
      content,
      delivery: Delivery,
      context,
      callback,
      review,
      is_unattended: isUnattended,
      by,
    })
    .describe("A message was accepted."),
  message_deferred: z
    .object({
      message_id: messageId,
      client_message_id: clientMessageId,
      content,
      context,
      is_unattended: isUnattended,
      by,
    })
    .describe(
      "A message that was accepted to steer a turn came too late for it. It moves to the queue and gets a turn of its own.",
    ),
  message_cancelled: z
    .object({ message_id: messageId, by })
    .describe("A queued message was taken back. It starts no turn."),
  turn_started: z
    .object({
      turn_id: z.string().describe("The id of the new turn."),
      message_id: z
        .string()
        .optional()
        .describe(
          "The user message that the turn answers; absent when the agent started the turn itself.",
        ),
    })
    .describe("A turn began. Its message, if any, leaves the queue."),
  result: z
    .object({
      turn_id: z.string().describe("The turn that this is the result of."),
      subtype: z
        .string()
        .describe("How the turn ended, in the runtime's own words, for example `success`."),
      is_error: z.boolean().describe("Whether the turn failed."),
      text: z.string().optional().describe("The agent's final answer as text."),
      structured_output: JsonValue.optional().describe(
        "The agent's answer in the form of the session's `output_schema`; absent where it gave none.",
      ),
      usage: Usage.optional().describe("What this turn used."),
      total_cost_usd: z
        .number()
        .optional()
        .describe("What this turn cost, in US dollars; the session's total is in `usage` events."),
      duration_ms: z.number().optional().describe("How long the turn took, in milliseconds."),
    })
    .describe("What the agent reported at the end of a turn. Comes before `done`."),
  done: z
    .object({
      turn_id: z.string().describe("The turn that ended."),
      stopped: z.boolean().optional().describe("True when a person stopped the turn."),
      exit_code: z
        .int()
        .nullable()
        .optional()
        .describe("The exit code of the agent's process, where each turn is a process."),
    })
    .describe("A turn ended. Every started turn has exactly one."),
  rolled_back: z
    .object({
      turn_id: z
        .string()
        .describe("The first turn that was undone; all turns after it were undone too."),
      files_restored: z
        .array(z.string())
        .optional()
        .describe("Paths of the files that were restored."),
      by,
    })
    .describe("Turns were undone: they no longer belong to the conversation."),
  compacted: z
    .object({
      summary: z
        .string()
        .optional()
        .describe("The summary that replaces the earlier conversation."),
      tokens_before: tokens.describe("Tokens in the context before."),
      tokens_after: tokens.describe("Tokens in the context afterwards."),
    })
    .describe("The agent shortened what it remembers. The log itself is unchanged."),
};
