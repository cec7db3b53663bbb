import {
  AgentAccount,
  ContextUsage,
  RateLimit,
  eventData,
  JsonObject,
  JsonPatchOperation,
  JsonValue,
  PlanStep,
  Question,
  RequestPolicy,
  Surface,
  Usage,
} from "@turnwire/protocol";
import * as z from "zod";

/** On whose behalf: the tool use that spawned a sub-agent; the main agent leaves it out. */
const speaker = { agent: z.string().optional() };

const Ask = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("permission"),
    tool: z.string(),
    input: JsonValue,
    tool_use: z.string().optional(),
    reason: z.string().optional(),
    suggestions: z.array(JsonObject).optional(),
    policy: RequestPolicy.optional(),
  }),
  z.object({ type: z.literal("question"), questions: z.array(Question).min(1) }),
  z.object({ type: z.literal("hook"), event: z.string(), input: JsonValue }),
  z.object({
    type: z.literal("component"),
    name: z.string(),
    surface: Surface,
    props: JsonObject,
  }),
  z.object({ type: z.literal("frontend_tool"), tool: z.string(), input: JsonValue }),
]);
/** What the demo agent wants to know from a person or from the UI. */
export type Ask = z.infer<typeof Ask>;

const messages = [
  z.object({ type: z.literal("hello"), session: z.string() }),
  z.object({ type: z.literal("text"), message: z.string(), text: z.string(), ...speaker }),
  z.object({
    type: z.literal("thought"),
    message: z.string(),
    text: z.string(),
    is_last: z.boolean().optional(),
    ...speaker,
  }),
  z.object({
    type: z.literal("message_end"),
    message: z.string(),
    model: z.string().optional(),
    ...speaker,
  }),
  z.object({
    type: z.literal("tool_typing"),
    message: z.string(),
    tool_use: z.string(),
    tool: z.string(),
    json: z.string(),
    ...speaker,
  }),
  z.object({
    type: z.literal("tool_begin"),
    message: z.string(),
    tool_use: z.string(),
    tool: z.string(),
    input: JsonObject,
    /** The name of the sub-agent this tool use starts. */
    spawns: z.string().optional(),
    ...speaker,
  }),
  z.object({ type: z.literal("tool_print"), tool_use: z.string(), text: z.string(), ...speaker }),
  z.object({
    type: z.literal("tool_end"),
    tool_use: z.string(),
    output: JsonValue,
    failed: z.boolean(),
    exit_code: z.int().optional(),
    ms: z.number().optional(),
    ...speaker,
  }),
  z.object({ type: z.literal("policy"), decision: eventData.policy_decision, ...speaker }),
  z.object({ type: z.literal("ask"), id: z.string(), ask: Ask, ...speaker }),
  z.object({
    type: z.literal("component"),
    id: z.string(),
    name: z.string(),
    surface: Surface,
    props: JsonObject,
    merge: z.boolean(),
  }),
  z.object({ type: z.literal("component_gone"), id: z.string() }),
  z.object({ type: z.literal("state"), state: JsonValue }),
  z.object({ type: z.literal("state_change"), patches: z.array(JsonPatchOperation) }),
  z.object({
    type: z.literal("plan"),
    steps: z.array(PlanStep),
    explanation: z.string().optional(),
  }),
  z.object({ type: z.literal("diff"), unified: z.string() }),
  z.object({ type: z.literal("usage"), usage: Usage, cost: z.number() }),
  z.object({ type: z.literal("rate_limits"), limits: z.array(RateLimit) }),
  z.object({ type: z.literal("account"), account: AgentAccount }),
  z.object({ type: z.literal("context"), usage: ContextUsage }),
  z.object({ type: z.literal("progress"), tokens: z.number(), cost: z.number() }),
  z.object({
    type: z.literal("task"),
    turn: z.string(),
    task: z.string(),
    status: z.enum(["running", "completed", "failed", "stopped"]),
    description: z.string(),
    summary: z.string().optional(),
    tool_use: z.string().optional(),
  }),
  z.object({ type: z.literal("mcp"), server: z.string(), status: z.string() }),
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
  }),
  z.object({
    type: z.literal("failure"),
    code: z.string(),
    message: z.string(),
    retryable: z.boolean(),
  }),
  z.object({
    type: z.literal("compacted"),
    summary: z.string(),
    before: z.number(),
    after: z.number(),
  }),
  z.object({
    type: z.literal("turn_end"),
    turn: z.string(),
    reason: z.enum(["finished", "interrupted", "failed"]),
    ms: z.number(),
    usage: Usage,
    cost: z.number(),
  }),
] as const;

/** One native message of the demo agent: the little vocabulary that `normalize.ts` translates. */
export const DemoMessage = z.discriminatedUnion("type", messages);
export type DemoMessage = z.infer<typeof DemoMessage>;

/** What a newer version of the agent might send: its meaning is unknown here. */
export interface NewerMessage {
  readonly type: `future_${string}`;
  readonly payload: JsonValue;
}

export type DemoMessageOf<Type extends DemoMessage["type"]> = Extract<DemoMessage, { type: Type }>;
