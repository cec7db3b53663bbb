import * as z from "zod";
import { attachments, Block } from "./block.ts";
import { SessionBudget } from "../part/budget.ts";
import { Capabilities } from "../part/capabilities.ts";
import { CatalogEntry } from "../part/catalog.ts";
import { ContextUsage } from "../part/context-usage.ts";
import { RateLimit } from "../part/rate-limit.ts";
import { envelope, eventData, type SessionEventOf } from "../event/event.ts";
import { Surface } from "../part/surface.ts";
import { Outcome, PermissionGrant } from "../event/request.ts";
import { SessionStatus } from "../event/session.ts";
import { JsonObject, JsonValue } from "../json/json.ts";
import { readonlyList, readonlyObject, readonlyRecord } from "./readonly-schema.ts";
import { requestTypes, type RequestType } from "./request-kind.ts";

const { session_ready: ready, user_message: userMessage } = eventData;

const SessionFacts = readonlyObject({
  session_id: ready.shape.session_id,
  runtime: ready.shape.runtime,
  status: SessionStatus,
  is_closed: z.boolean().describe("Whether the session was deleted."),
  capabilities: Capabilities.describe("What the runtime can do."),
  title: ready.shape.title,
  model: ready.shape.model.describe("The model; absent: the runtime's default."),
  effort: ready.shape.effort.describe("The effort; absent: the runtime's default."),
  permission_mode: ready.shape.permission_mode.describe(
    "The permission mode; absent: the runtime's default.",
  ),
  policy_mode: ready.shape.policy_mode.describe("The policy mode; absent: no policy decides."),
  cwd: ready.shape.cwd,
  worktree: ready.shape.worktree,
  provider_session_id: ready.shape.provider_session_id,
  account: eventData.session_updated.shape.account.describe(
    "The account that the agent works with; absent: it has reported none.",
  ),
  grants: readonlyList(PermissionGrant)
    .optional()
    .describe("What the agent may do without asking, oldest first; absent when nothing."),
  configuration: ready.shape.configuration,
  sandbox: ready.shape.sandbox,
  budget: SessionBudget.optional().describe(
    "How much the session may use, and has used; absent: as much as it wants.",
  ),
}).describe("What the session is, apart from its conversation.");
export type SessionFacts = z.infer<typeof SessionFacts>;

/** The turn that runs. */
const Turn = readonlyObject({
  turn_id: z.string().describe("The turn's id."),
  message_id: z.string().optional().describe("The user message that it answers."),
  started_at: z.string().describe("The `ts` of its `turn_started`."),
  is_unattended: userMessage.shape.is_unattended.describe(
    "Present where no one is there to be asked: its message says so.",
  ),
});
export type Turn = z.infer<typeof Turn>;

/** A user message that waits for its turn. */
const QueuedMessage = readonlyObject({
  ...userMessage.shape,
  attachments,
  seq: envelope.seq.describe("The seq of its `user_message` or `message_deferred`."),
  ts: z.string().describe("The `ts` of that event."),
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

const claimed = eventData.tool_call_claimed.shape;

/** The page that performs an open tool call. It counts until `expires_at`; from then on another page may claim the call. */
const ToolCallClaim = readonlyObject({
  claim_id: claimed.claim_id,
  expires_at: claimed.expires_at,
  by: claimed.by,
});
export type ToolCallClaim = z.infer<typeof ToolCallClaim>;

/** A tool call that waits for its outcome, with its newest claim. */
export type OpenToolCall = SessionEventOf<"tool_call_request"> & { readonly claim?: ToolCallClaim };

/** A request that waits for its outcome, as it was asked. */
export type OpenRequest =
  | { [Type in RequestType]: SessionEventOf<Type> }[Exclude<RequestType, "tool_call_request">]
  | OpenToolCall;

const openRequests = requestTypes.map((type) =>
  z.object({
    ...envelope,
    // Bases of trimmed logs may have requests whose time is no longer known.
    ts: z.string().describe("When it happened."),
    type: z.literal(type),
    data: eventData[type],
    ...(type === "tool_call_request" && {
      claim: ToolCallClaim.optional().describe("The newest claim of the call."),
    }),
  }),
);

const OpenRequest = z
  .discriminatedUnion("type", openRequests as [(typeof openRequests)[0], ...typeof openRequests])
  .meta({ id: "OpenRequest" })
  .describe(
    "The request's whole event; a tool call also has its newest claim.",
  ) as unknown as z.ZodType<OpenRequest>;

const place = {
  id: z.string().describe("The message's id: for an agent's message `agent-` and its seq."),
  seq: envelope.seq.describe("The seq of the event that made it."),
  ts: z.string().describe("The `ts` of that event."),
  turn_id: z.string().optional().describe("The turn that it belongs to."),
};

const UserMessage = readonlyObject({
  role: z.literal("user"),
  ...place,
  content: userMessage.shape.content,
  delivery: userMessage.shape.delivery,
  client_message_id: userMessage.shape.client_message_id,
  callback: userMessage.shape.callback,
  by: userMessage.shape.by,
  attachments,
}).describe("What a person said.");
export type UserMessage = z.infer<typeof UserMessage>;

const AgentMessage = readonlyObject({
  role: z.literal("agent"),
  ...place,
  blocks: readonlyList(Block).describe("What the agent did, in order."),
  done: z.boolean().describe("Whether it is complete: then the next block opens a new message."),
  ended_at: z.string().optional().describe("The `ts` of its turn's `done`."),
  stopped: z.boolean().optional().describe("True when a person stopped the turn."),
  result: eventData.result.optional().describe("The `data` of the turn's `result`."),
}).describe("What the agent did.");
export type AgentMessage = z.infer<typeof AgentMessage>;

const Message = z.discriminatedUnion("role", [UserMessage, AgentMessage]).meta({ id: "Message" });
export type Message = UserMessage | AgentMessage;

const Component = readonlyObject({
  component_id: z.string().describe("The component's id."),
  name: z.string().describe("Which component to render."),
  surface: Surface,
  props: JsonObject.describe("Its properties."),
  attachments,
}).meta({ id: "Component" });
export type Component = z.infer<typeof Component>;

/** The current activity of the session, for a status line. */
const Activity = readonlyObject({
  kind: z
    .enum(["idle", "thinking", "tool", "writing", "waiting"])
    .describe("What the session does right now."),
  label: z.string().describe("The same for people, such as `Running npm test`."),
});
export type Activity = z.infer<typeof Activity>;

const { task_id, status, description, summary, tool_use_id } = eventData.task.shape;

const TaskState = readonlyObject({
  task_id,
  status,
  description,
  summary,
  tool_use_id,
  attachments,
});
export type TaskState = z.infer<typeof TaskState>;

const components = readonlyList(Component);

/**
 * The part of the state that decisions need: small, whatever the conversation's length.
 * The server keeps it for every loaded session; `SessionState` extends it.
 */
const control = {
  seq: z.int().describe("The seq of the newest event in it; 0 before the first."),
  session: SessionFacts,
  turn: Turn.nullable().describe("The turn that runs."),
  last_turn_id: z
    .string()
    .nullable()
    .describe("The newest turn, running or ended; null before the first and after a rollback."),
  queue: readonlyList(QueuedMessage).describe("Messages that wait for their turn, oldest first."),
  requests: readonlyRecord(OpenRequest).describe(
    "Open requests by `correlation_id` or `interrupt_id`.",
  ),
  outcomes: readonlyRecord(Outcome).describe(
    "How the newest 1000 ended requests ended, by the same ids.",
  ),
  shared: JsonValue.describe("The shared state: an empty object until it is set."),
  shared_version: z
    .int()
    .describe("The version of the shared state: 0 until it is set, one more with each change."),
  catalog: readonlyList(CatalogEntry).describe(
    "The components that can be shown; empty: none is known, and any may be tried.",
  ),
};
const Control = readonlyObject(control);
export type Control = z.infer<typeof Control>;

/** Everything a client knows of a session: the fold over its log. */
export const SessionState = readonlyObject({
  ...control,
  messages: readonlyList(Message).describe("The conversation, oldest first."),
  activity: Activity.describe("For a status line."),
  surfaces: readonlyObject({
    sidebar: components.describe("Those in the sidebar."),
    panel: components.describe("Those in the panel."),
    overlay: components.describe("Those in the overlay."),
    canvas: components.describe("Those on the canvas."),
  }).describe("Components outside the chat, in the order they appeared."),
  tasks: readonlyRecord(TaskState).describe("Background tasks by `task_id`."),
  mcp: readonlyRecord(z.string()).describe("The status of MCP servers by name."),
  usage: eventData.usage
    .extend({ total_cost_usd: z.number().describe("The session's cost so far; 0 at first.") })
    .describe("Totals of the session."),
  rate_limits: readonlyList(RateLimit).describe(
    "The limits of the agent's account, as last reported; empty: none is known.",
  ),
  context: readonlyObject(ContextUsage.shape)
    .nullable()
    .describe("What fills the agent's context, as last asked for; null: it was not."),
});
export interface SessionState extends z.infer<typeof SessionState> {}
