import { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";

const text = z.string().nullish();
const count = z.number().nullish();
const texts = z.array(z.string()).optional();

/** What a command does, as Codex reads it; `type` is `read`, `listFiles`, `search` or `unknown`. */

const FileChange = z.object({
  path: z.string(),
  kind: z.object({ type: z.string(), move_path: text }),
  diff: z.string(),
});
export type FileChange = z.infer<typeof FileChange>;

const AgentState = z.object({ status: z.string(), message: text });

const id = { id: z.string() };

/** What we read of each kind of item, by its `type`. */
export const itemSchemas = {
  userMessage: z.object(id),
  agentMessage: z.object({ ...id, text: z.string(), phase: text }),
  plan: z.object({ ...id, text: z.string() }),
  reasoning: z.object({ ...id, summary: texts, content: texts }),
  commandExecution: z.object({
    ...id,
    command: z.string(),
    cwd: text,
    processId: text,
    source: text,
    status: z.string(),
    aggregatedOutput: text,
    exitCode: count,
    durationMs: count,
  }),
  fileChange: z.object({ ...id, changes: z.array(FileChange), status: z.string() }),
  mcpToolCall: z.object({
    ...id,
    server: z.string(),
    tool: z.string(),
    status: z.string(),
    arguments: JsonValue.optional(),
    result: z
      .object({ content: z.array(JsonValue), structuredContent: JsonValue.optional() })
      .nullish(),
    error: z.object({ message: z.string() }).nullish(),
    durationMs: count,
  }),
  dynamicToolCall: z.object({
    ...id,
    namespace: text,
    tool: z.string(),
    arguments: JsonValue.optional(),
    status: z.string(),
    contentItems: z.array(JsonObject).nullish(),
    success: z.boolean().nullish(),
    durationMs: count,
  }),
  collabAgentToolCall: z.object({
    ...id,
    tool: z.string(),
    status: z.string(),
    receiverThreadIds: z.array(z.string()),
    prompt: text,
    model: text,
    agentsStates: z.record(z.string(), AgentState).optional(),
  }),
  subAgentActivity: z.object({
    ...id,
    kind: z.string(),
    agentThreadId: z.string(),
    agentPath: z.string(),
    model: text,
  }),
  webSearch: z.object({
    ...id,
    query: z.string(),
    action: z.looseObject({ type: z.string() }).nullish(),
    results: z.array(JsonValue).nullish(),
  }),
  imageView: z.object({ ...id, path: z.string() }),
  imageGeneration: z.object({
    ...id,
    status: z.string(),
    revisedPrompt: text,
    savedPath: text,
    failure: JsonValue.optional(),
  }),
  sleep: z.object({ ...id, durationMs: count }),
  enteredReviewMode: z.object(id),
  /** Its text comes as a message too. */
  exitedReviewMode: z.object(id),
  contextCompaction: z.object(id),
};

export type ItemType = keyof typeof itemSchemas;
export type ItemOf<Type extends ItemType> = Type extends ItemType
  ? { readonly type: Type } & z.infer<(typeof itemSchemas)[Type]>
  : never;

/** A piece of a turn, of a kind that we know. */
export type Item = ItemOf<ItemType>;

/** Reads an item; undefined when it is of no kind that we know, or not of the form we know. */
export function itemFrom(native: JsonObject): Item | undefined {
  const { type } = native;
  if (typeof type !== "string" || !isItemType(type)) return undefined;
  const parsed = itemSchemas[type].safeParse(native);
  // The type has chosen the schema, so the data is of the item with that type.
  return parsed.success ? ({ ...parsed.data, type } as Item) : undefined;
}

function isItemType(type: string): type is ItemType {
  return Object.hasOwn(itemSchemas, type);
}
