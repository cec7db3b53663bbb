import * as z from "zod";
import { Budget } from "../part/budget.ts";
import { CatalogEntries } from "../part/catalog.ts";
import { ContentBlock } from "../part/content.ts";
import { Surface } from "../part/surface.ts";
import { Answers } from "../event/request.ts";
import { Delivery, isUnattended, review } from "../event/turn.ts";
import { JsonObject, JsonValue } from "../json/json.ts";
import { JsonPatchOperation } from "../json/json-patch.ts";
import { limits } from "../part/limit.ts";
import { PolicyModeName } from "../part/policy-mode.ts";
import type { TokenScope } from "../part/token-scope.ts";
import { Effort, SystemPrompt } from "../part/session-configuration.ts";

const id = z.string().min(1).max(200);

/** The content of a message: plain text, or text with images and documents. */
export const MessageContent = z
  .union([z.string().min(1), z.array(ContentBlock).min(1).max(limits.contentBlocks)])
  .meta({ id: "MessageContent" })
  .describe("Plain text, or a list of blocks.");
export type MessageContent = z.infer<typeof MessageContent>;

const correlationId = id.describe("The id of the request that this answers.");
const messageFields = {
  content: MessageContent,
  client_message_id: id
    .optional()
    .describe("The sender's own id: sending again with it has no further effect."),
  context: JsonObject.optional().describe("Data for the agent beside the text."),
};

const PermissionResponse = z
  .object({
    type: z.literal("permission_response"),
    correlation_id: correlationId,
    behavior: z.enum(["allow", "deny"]).describe("Whether the agent may use the tool."),
    updated_input: JsonValue.optional().describe(
      "The input to use instead; with `allow` only. Needs `capabilities.edit_tool_input` if it differs.",
    ),
    updated_permissions: z
      .array(JsonObject)
      .optional()
      .describe("Permissions to add for the rest of the session; admins only."),
    message: z.string().optional().describe("What to say to the agent."),
    interrupt: z.boolean().optional().describe("True: also stop the turn; with `deny` only."),
  })
  .refine((response) => !(response.behavior === "allow" && response.interrupt), {
    message: "interrupt goes with deny only",
    path: ["interrupt"],
  })
  .refine((response) => !(response.behavior === "deny" && response.updated_input !== undefined), {
    message: "updated_input goes with allow only",
    path: ["updated_input"],
  })
  .describe("Answers a `permission_request`.");

export const commandSchemas = {
  user_message: z
    .object({
      type: z.literal("user_message"),
      ...messageFields,
      delivery: Delivery.optional().describe(
        "How to deliver it; `queue` by default. `turn`: only if it can start at once.",
      ),
      review,
      is_unattended: isUnattended,
    })
    .describe("Sends a message."),
  steer: z
    .object({ type: z.literal("steer"), ...messageFields })
    .describe('Sends a message into the running turn: `user_message` with `delivery: "steer"`.'),
  cancel_message: z
    .object({
      type: z.literal("cancel_message"),
      message_id: id.describe("The message to take back."),
    })
    .describe("Takes back a message that waits for its turn."),
  interrupt: z
    .object({
      type: z.literal("interrupt"),
      data: z
        .never({
          error: "an interrupt with data is an event; to show a component and wait, send ask",
        })
        .optional()
        .describe(
          "Refused: only the event of that name has it. `ask` shows a component and waits.",
        ),
    })
    .describe("Stops the running turn; has no effect when none runs."),
  permission_response: PermissionResponse,
  question_response: z
    .object({
      type: z.literal("question_response"),
      correlation_id: correlationId,
      answers: Answers,
      notes: z
        .record(z.string(), z.string())
        .optional()
        .describe("Notes beside the answers, by the question's full text."),
    })
    .describe("Answers a `question_request`."),
  hook_response: z
    .object({
      type: z.literal("hook_response"),
      correlation_id: correlationId,
      decision: JsonObject.describe("The decision, in the runtime's words."),
    })
    .describe("Answers a `hook_request`."),
  interrupt_response: z
    .object({
      type: z.literal("interrupt_response"),
      interrupt_id: id.describe("The id of the `interrupt` that this answers."),
      value: JsonValue.describe("The value for the agent."),
    })
    .describe("Answers an `interrupt`."),
  tool_call_response: z
    .object({
      type: z.literal("tool_call_response"),
      correlation_id: correlationId,
      output: JsonValue.describe("What the tool returned."),
      is_error: z.boolean().optional().describe("Whether the tool failed."),
    })
    .describe("Answers a `tool_call_request`."),
  budget_response: z
    .object({
      type: z.literal("budget_response"),
      correlation_id: correlationId,
      decision: z
        .enum(["raise", "stop"])
        .describe(
          "`raise`: the agent continues with more; `stop`: it does not, and queued messages are taken back.",
        ),
      budget: Budget.nullable()
        .optional()
        .describe(
          "With `raise`: the limits to change, beyond what is used; others stay. null: no budget any more.",
        ),
    })
    .refine(({ decision, budget }) => (decision === "raise") === (budget !== undefined), {
      message: "goes with raise, and raise needs it",
      path: ["budget"],
    })
    .describe("Answers a `budget_request`."),
  tool_call_claim: z
    .object({
      type: z.literal("tool_call_claim"),
      correlation_id: id.describe("The id of the `tool_call_request`."),
      claim_id: id.describe("A random id of the client that claims."),
    })
    .describe("Reserves a tool call for the sender, or renews its claim."),
  component_callback: z
    .object({
      type: z.literal("component_callback"),
      component_id: id.describe("The component."),
      action: id.describe("What happened, in the component's own words."),
      payload: JsonObject.describe("The data that belongs to the action."),
      client_callback_id: id
        .optional()
        .describe("The sender's own id: sending again with it has no further effect."),
    })
    .describe("Reports what a person did in a component."),
  add_to_catalog: z
    .object({ type: z.literal("add_to_catalog"), entries: CatalogEntries })
    .describe(
      "Adds components that can be shown. An entry that is already there has no further effect.",
    ),
  show_component: z
    .object({
      type: z.literal("show_component"),
      component_id: id.describe("The component: a new one, or one to change or move."),
      name: id.optional().describe("Which component to render; by default the one that is there."),
      surface: Surface.optional().describe(
        "Where; by default where it is, for a new one the first that the catalog has for it.",
      ),
      props: JsonObject.optional().describe("The properties; they replace the earlier ones."),
      merge: z
        .boolean()
        .optional()
        .describe("True: the properties are merged over the earlier ones, top level only."),
      patches: z
        .array(JsonPatchOperation)
        .min(1)
        .max(limits.patchOperations)
        .optional()
        .describe("Instead of `props`: JSON Patch operations on the earlier properties."),
    })
    .refine(({ props, patches }) => props === undefined || patches === undefined, {
      message: "goes with props or with patches, not with both",
      path: ["patches"],
    })
    .describe("Shows a component beside those of the agent, changes it or moves it."),
  remove_component: z
    .object({
      type: z.literal("remove_component"),
      component_id: id.describe("The component to remove, whoever showed it."),
    })
    .describe("Removes a component; has no effect when it is not there."),
  ask: z
    .object({
      type: z.literal("ask"),
      interrupt_id: id.describe(
        "The sender's own id, unique in the session: asking again while it is open has no further effect.",
      ),
      component_name: id.describe("Which component to render."),
      props: JsonObject.optional().describe("The component's properties."),
      surface: Surface.optional().describe(
        "Where; by default the first that the catalog has for the component.",
      ),
    })
    .describe(
      "Shows a component and waits for a value from it, as an agent can: becomes an `interrupt`.",
    ),
  state_patch: z
    .object({
      type: z.literal("state_patch"),
      patches: z
        .array(JsonPatchOperation)
        .min(1)
        .max(limits.patchOperations)
        .describe("JSON Patch operations (RFC 6902), applied in order, all or none."),
      base_version: z
        .int()
        .nonnegative()
        .optional()
        .describe(
          "The version that the patches were made for: refused as `stale_state` when the shared state has another one. Without it, they apply to what is there.",
        ),
      client_patch_id: id
        .optional()
        .describe("The sender's own id: sending again with it has no further effect."),
    })
    .describe("Patches the shared state."),
  set_model: z
    .object({
      type: z.literal("set_model"),
      model: id.nullable().describe("The model; null: the runtime's default."),
    })
    .describe("Changes the model."),
  set_effort: z
    .object({
      type: z.literal("set_effort"),
      effort: Effort.nullable().describe(
        "One of `capabilities.efforts`; null: the runtime's default.",
      ),
    })
    .describe("Changes how much the agent thinks, from the next turn on."),
  set_permission_mode: z
    .object({
      type: z.literal("set_permission_mode"),
      mode: id.describe("One of `capabilities.permission_modes`."),
    })
    .describe("Changes the permission mode."),
  set_policy_mode: z
    .object({
      type: z.literal("set_policy_mode"),
      mode: PolicyModeName.nullable().describe(
        "One of the modes of the policy; null: no policy decides any more.",
      ),
    })
    .describe(
      "Changes the policy mode, from the next tool call on. Only an admin may choose a looser one.",
    ),
  set_budget: z
    .object({
      type: z.literal("set_budget"),
      budget: Budget.nullable().describe("The new limits, instead of all earlier; null: none."),
    })
    .describe("Changes how much the session may use."),
  revoke_permission: z
    .object({
      type: z.literal("revoke_permission"),
      grant_id: id.describe("One of the session's `grants`."),
    })
    .describe("Takes back what was allowed for the rest of the session."),
  stop_task: z
    .object({ type: z.literal("stop_task"), task_id: id.describe("The background task.") })
    .describe("Stops a background task."),
  fork: z
    .object({
      type: z.literal("fork"),
      turn_id: id
        .optional()
        .describe("The last turn to copy; without it, all finished turns are copied."),
      title: z.string().max(500).optional().describe("The copy's title; by default the same."),
      model: id.optional().describe("The copy's model; by default the same."),
      effort: Effort.optional().describe("The copy's effort; by default the same."),
      system_prompt: SystemPrompt.optional().describe(
        "The copy's instructions; by default the same. `replace` is for admins.",
      ),
    })
    .describe("Copies the session into a new one."),
  rollback: z
    .object({
      type: z.literal("rollback"),
      turn_id: id.describe("The first turn to undo."),
      files: z
        .boolean()
        .optional()
        .describe("True: also restore the files that the undone turns changed."),
    })
    .describe("Undoes a turn and all turns after it."),
  compact: z
    .object({
      type: z.literal("compact"),
      instructions: z.string().optional().describe("What the summary should keep."),
    })
    .describe("Makes the agent shorten what it remembers."),
  read_context: z
    .object({ type: z.literal("read_context") })
    .describe(
      "Makes the agent report what fills its context, as `context_usage`; has no effect while it sleeps.",
    ),
  reconnect_mcp_server: z
    .object({
      type: z.literal("reconnect_mcp_server"),
      server_name: id.describe("The MCP server, one of `mcp`."),
    })
    .describe(
      "Connects an MCP server of the agent again, reported as `mcp_status`; has no effect while the agent sleeps.",
    ),
  archive: z.object({ type: z.literal("archive") }).describe("Makes the session read-only."),
  unarchive: z
    .object({ type: z.literal("unarchive") })
    .describe("Makes an archived session usable again."),
  rename: z
    .object({ type: z.literal("rename"), title: z.string().max(500).describe("The new title.") })
    .describe("Changes the title."),
};

export type CommandType = keyof typeof commandSchemas;
export type CommandOf<Type extends CommandType> = z.infer<(typeof commandSchemas)[Type]>;

/** A command that brings a message from a person. */
export type MessageCommand = CommandOf<"user_message" | "steer">;

/** Commands that change settings which do not depend on one another, so that several are one change. */
export type SettingCommand = CommandOf<
  "rename" | "set_model" | "set_effort" | "set_permission_mode" | "set_policy_mode"
>;

/** A wish from a client: decided against the session's state, answered with events or a rejection. */
export type Command = { [Type in CommandType]: CommandOf<Type> }[CommandType];

const everyCommand = Object.values(commandSchemas);

export const Command = z.discriminatedUnion(
  "type",
  everyCommand as [(typeof everyCommand)[number], ...(typeof everyCommand)[number][]],
) as unknown as z.ZodType<Command>;

/** Who sends a command: sessions belong to one, and events name it as `by`. */
export interface Principal {
  readonly id: string;
  /** May see and command every session, and set what widens an agent's rights. */
  readonly isAdmin: boolean;
  /** The client's address, for the audit log. */
  readonly address?: string;
  /** The scoped token it came with; it may permit less than the principal could do without it. */
  readonly token?: PrincipalToken;
}

/** The rights that a scoped token leaves its principal. */
export interface PrincipalToken {
  readonly id: string;
  readonly scope: TokenScope;
  /** The only session that it is for. */
  readonly sessionId?: string;
}

/** Something that belongs to a principal; with an id, where it is a session. */
export interface Owned {
  readonly owner: string;
  readonly id?: string;
}

export function canReach({ id: principalId, isAdmin, token }: Principal, owned: Owned): boolean {
  if (token?.sessionId !== undefined && token.sessionId !== owned.id) return false;
  return isAdmin || principalId === owned.owner;
}
