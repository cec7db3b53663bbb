import * as z from "zod";
import { JsonObject, JsonValue } from "../json.ts";
import { Surface } from "./component.ts";

/** How a request ended. answered: a person did; cancelled: its turn ended; expired: no answer came in time; orphaned: the agent that asked is gone. */
export const Outcome = z.enum(["answered", "cancelled", "expired", "orphaned"]);
export type Outcome = z.infer<typeof Outcome>;

export const Question = z.object({
  question: z.string(),
  header: z.string().optional(),
  multi_select: z.boolean().optional(),
  /** Only the options answer it, no words of one's own. */
  options_only: z.boolean().optional(),
  options: z.array(
    z.object({
      label: z.string(),
      description: z.string().optional(),
      preview: z.string().optional(),
    }),
  ),
});
export type Question = z.infer<typeof Question>;

/** Answers by the question's full text: one label, several labels, or words of one's own. */
export const Answers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
export type Answers = z.infer<typeof Answers>;

const correlated = { correlation_id: z.string() };
const asked = {
  ...correlated,
  tool_use_id: z.string().optional(),
  expires_at: z.iso.datetime().optional(),
};
const settled = { outcome: Outcome, by: z.string().optional() };

export const requestEventData = {
  permission_request: z.object({
    ...asked,
    tool_name: z.string(),
    tool_input: JsonValue,
    context: JsonObject.optional(),
    suggestions: z.array(JsonObject).optional(),
  }),
  permission_resolved: z.object({
    ...correlated,
    ...settled,
    tool_name: z.string(),
    allowed: z.boolean(),
    message: z.string().optional(),
    updated_input: JsonValue.optional(),
  }),
  question_request: z.object({ ...asked, questions: z.array(Question).min(1) }),
  question_resolved: z.object({ ...correlated, ...settled, answers: Answers.optional() }),
  hook_request: z.object({ ...asked, hook_event: z.string(), hook_input: JsonValue }),
  hook_resolved: z.object({ ...correlated, ...settled, decision: JsonObject.optional() }),
  interrupt: z.object({
    interrupt_id: z.string(),
    component_name: z.string(),
    props: JsonObject,
    surface: Surface,
    expires_at: z.iso.datetime().optional(),
  }),
  interrupt_resolved: z.object({
    interrupt_id: z.string(),
    ...settled,
    value: JsonValue.optional(),
  }),
  tool_call_request: z.object({ ...asked, tool_name: z.string(), input: JsonValue }),
  /** One page performs the call, until `expires_at` at least; the same page may claim it again for longer. */
  tool_call_claimed: z.object({
    ...correlated,
    claim_id: z.string(),
    expires_at: z.iso.datetime(),
    by: z.string().optional(),
  }),
  tool_call_resolved: z.object({
    ...correlated,
    ...settled,
    output: JsonValue.optional(),
    is_error: z.boolean().optional(),
  }),
};
