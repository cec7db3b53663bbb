import * as z from "zod";
import { JsonObject, JsonValue } from "../json/json.ts";
import { by } from "./by.ts";
import { Budget, BudgetLimit, BudgetUse } from "../part/budget.ts";
import { Surface } from "../part/surface.ts";
import { RequestPolicy } from "./policy.ts";

export const Outcome = z
  .enum(["answered", "cancelled", "expired", "orphaned"])
  .describe(
    "How the request ended. `answered`: by a client; `cancelled`: its turn ended; `expired`: without an answer in time; `orphaned`: the agent that asked is gone.",
  );
export type Outcome = z.infer<typeof Outcome>;

export const Question = z
  .object({
    question: z.string().describe("The question; answers name it by this full text."),
    header: z.string().optional().describe("A short heading."),
    multi_select: z.boolean().optional().describe("Whether several options may be chosen."),
    options_only: z
      .boolean()
      .optional()
      .describe("True when only the options are valid answers, no free text."),
    options: z
      .array(
        z.object({
          label: z.string().describe("The option; answers name it by this text."),
          description: z.string().optional().describe("What choosing it means."),
          preview: z.string().optional().describe("What choosing it would look like."),
        }),
      )
      .describe("The options to choose from; may be empty."),
  })
  .meta({ id: "Question" });
export type Question = z.infer<typeof Question>;

export const Answers = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .meta({ id: "Answers" })
  .describe("Answers by the question's full text: a label, a list of labels, or free text.");
export type Answers = z.infer<typeof Answers>;

export const PermissionGrant = z
  .object({
    grant_id: z.string().describe("The grant's id, unique in the session."),
    tool_name: z.string().describe("The tool that was asked about when it was granted."),
    permission: JsonObject.describe(
      "What is allowed without asking: one of the answer's `updated_permissions`, in the runtime's words.",
    ),
    granted_at: z.string().describe("The `ts` of its `permission_granted`."),
    by,
  })
  .meta({ id: "PermissionGrant" })
  .describe("Something that the agent may do in this session without asking.");
export type PermissionGrant = z.infer<typeof PermissionGrant>;

const correlated = {
  correlation_id: z.string().describe("The request's id, unique in the session."),
};
const interruptId = z.string().describe("The request's id, unique in the session.");
const expiresAt = z.iso
  .datetime()
  .optional()
  .describe("When the request ends as `expired` unless it is answered.");
const asked = {
  ...correlated,
  tool_use_id: z.string().optional().describe("The tool use that the request is about."),
  expires_at: expiresAt,
};
const settled = { outcome: Outcome, by };

export const requestEventData = {
  permission_request: z
    .object({
      ...asked,
      tool_name: z.string().describe("The tool that the agent wants to use."),
      tool_input: JsonValue.describe("The input that it wants to use it with."),
      context: JsonObject.optional().describe("What else the runtime reports, in its own words."),
      suggestions: z
        .array(JsonObject)
        .optional()
        .describe("Values that the runtime takes as `updated_permissions` of the answer."),
      diff: z
        .string()
        .optional()
        .describe("What the tool would change, as a unified diff with the file's line numbers."),
      policy: RequestPolicy.optional().describe(
        "Why the session's policy asks a person; absent where the runtime's own permission mode asks.",
      ),
    })
    .describe("The agent asks whether it may use a tool. Answer: `permission_response`."),
  permission_resolved: z
    .object({
      ...correlated,
      ...settled,
      tool_name: z.string().describe("The tool that was asked about."),
      allowed: z.boolean().describe("Whether the agent may use it; false unless answered so."),
      message: z.string().optional().describe("What the person said to the agent."),
      updated_input: JsonValue.optional().describe("The input that was allowed instead."),
      updated_permissions: z
        .array(JsonObject)
        .optional()
        .describe("What was allowed beyond this use, in the runtime's words."),
    })
    .describe("A permission request ended."),
  permission_granted: z
    .object({
      grant_id: PermissionGrant.shape.grant_id,
      tool_name: PermissionGrant.shape.tool_name,
      permission: PermissionGrant.shape.permission,
      by,
    })
    .describe("From now on the agent may do this in this session without asking."),
  permission_revoked: z
    .object({
      grant_ids: z.array(z.string()).min(1).describe("The grants that no longer hold."),
      by,
    })
    .describe(
      "Grants no longer hold: a person revoked them, or the agent that remembered them is gone. Then `by` is absent.",
    ),
  question_request: z
    .object({ ...asked, questions: z.array(Question).min(1).describe("The questions, in order.") })
    .describe("The agent asks a person. Answer: `question_response`."),
  question_resolved: z
    .object({ ...correlated, ...settled, answers: Answers.optional() })
    .describe("A question request ended."),
  hook_request: z
    .object({
      ...asked,
      hook_event: z.string().describe("Which hook, in the runtime's words."),
      hook_input: JsonValue.describe("What the runtime passes to the hook."),
    })
    .describe("The agent asks for a hook's decision. Answer: `hook_response`."),
  hook_resolved: z
    .object({
      ...correlated,
      ...settled,
      decision: JsonObject.optional().describe("The decision, in the runtime's words."),
    })
    .describe("A hook request ended."),
  interrupt: z
    .object({
      interrupt_id: interruptId,
      component_name: z.string().describe("Which component to render."),
      props: JsonObject.describe("The component's properties."),
      surface: Surface,
      expires_at: expiresAt,
      by: by.describe(
        "The id of the principal whose program asks, by the command `ask`; absent where the agent does.",
      ),
    })
    .describe(
      "The agent, or a program, shows a component and waits for a value from it. Answer: `interrupt_response`. One of a program belongs to no turn and stays open after it.",
    ),
  interrupt_resolved: z
    .object({
      interrupt_id: interruptId,
      ...settled,
      value: JsonValue.optional().describe("The value that the component returned."),
    })
    .describe("An interrupt ended."),
  tool_call_request: z
    .object({
      ...asked,
      tool_name: z.string().describe("The frontend tool to perform."),
      input: JsonValue.describe("The tool's input."),
    })
    .describe("The agent calls a tool that the UI performs. Answer: `tool_call_response`."),
  tool_call_claimed: z
    .object({
      ...correlated,
      claim_id: z.string().describe("The random id of the client that performs the call."),
      expires_at: z.iso
        .datetime()
        .describe("When the claim ends; the same client may renew it before that."),
      by,
    })
    .describe("One client performs the call; others must not."),
  tool_call_resolved: z
    .object({
      ...correlated,
      ...settled,
      output: JsonValue.optional().describe("What the tool returned."),
      is_error: z.boolean().optional().describe("Whether the tool failed."),
    })
    .describe("A tool call ended."),
  budget_request: z
    .object({
      ...correlated,
      reached: z.array(BudgetLimit).min(1).describe("The limits that are reached."),
      allowed: Budget.describe("The budget."),
      used: BudgetUse,
    })
    .describe(
      "The session has reached its budget and pauses: the running turn is stopped, no other starts. Answer: `budget_response`. It stays open after its turn and does not expire.",
    ),
  budget_resolved: z
    .object({
      ...correlated,
      ...settled,
      decision: z
        .enum(["raise", "stop"])
        .optional()
        .describe("What was decided; the new limits are in `session_updated`."),
    })
    .describe("A budget request ended."),
};
