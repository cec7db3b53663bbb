/**
 * The native words of a Codex session, in the order in which the normalizer reads them:
 *
 * - notifications of the app-server as they are: `{method, params, emittedAtMs}`;
 * - its requests with an id of our own: `{method, id, params, correlation_id}`. Codex counts its
 *   ids from 0 in every process, so they would come again in a session that lives longer;
 * - what the run says: `{method: "turnwire/…", params}`, see `run-message.ts`.
 */
import { JsonObject, JsonValue, RequestPolicy } from "@turnwire/protocol";
import * as z from "zod";
import { runMessageSchemas } from "./run-message.ts";
import { serverRequestSchemas } from "./server-request.ts";

const text = z.string().nullish();
const count = z.number().optional();
const thread = { threadId: z.string() };
const turn = { ...thread, turnId: z.string() };
const item = { ...turn, itemId: z.string() };
const delta = { ...item, delta: z.string() };

const TurnError = z.object({
  message: z.string(),
  /** A word, or an object with the word as its only key. */
  codexErrorInfo: z.union([z.string(), JsonObject]).nullish(),
  additionalDetails: text,
});
export type TurnError = z.infer<typeof TurnError>;

const Turn = z.object({
  id: z.string(),
  /** Of a review, the turn that all its messages name: 0.169 begins it by another id (fixture `review`). */
  rootTurnId: text,
  status: z.string(),
  error: TurnError.nullish(),
  durationMs: z.number().nullish(),
  /** At the end of a turn, its last agent message. */
  items: z.array(JsonObject).optional(),
});

const Tokens = z.object({
  totalTokens: count,
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: count,
  outputTokens: count,
  reasoningOutputTokens: count,
});
export type Tokens = z.infer<typeof Tokens>;

const RateLimitWindow = z.object({
  usedPercent: z.number(),
  /** In seconds since 1970. */
  resetsAt: z.number().nullish(),
  windowDurationMins: z.number().nullish(),
});

const conversation = {
  "turn/started": z.object({ ...thread, turn: Turn }),
  "turn/completed": z.object({ ...thread, turn: Turn }),
  "item/started": z.object({ ...turn, item: JsonObject }),
  "item/completed": z.object({ ...turn, item: JsonObject }),
  "item/agentMessage/delta": z.object(delta),
  "item/plan/delta": z.object(delta),
  "item/reasoning/textDelta": z.object(delta),
  "item/reasoning/summaryTextDelta": z.object(delta),
  "item/reasoning/summaryPartAdded": z.object({ ...item, summaryIndex: z.number() }),
  "item/commandExecution/outputDelta": z.object(delta),
  "item/fileChange/patchUpdated": z.object({ ...item, changes: JsonValue }),
  "item/mcpToolCall/progress": z.object({ ...item, message: z.string() }),
  "turn/diff/updated": z.object({ ...turn, diff: z.string() }),
  "turn/plan/updated": z.object({
    ...turn,
    explanation: text,
    plan: z.array(z.object({ step: z.string(), status: z.string() })),
  }),
  "thread/tokenUsage/updated": z.object({
    ...thread,
    tokenUsage: z.object({ total: Tokens, last: Tokens, modelContextWindow: z.number().nullish() }),
  }),
  error: z.object({ ...turn, error: TurnError, willRetry: z.boolean() }),
  "serverRequest/resolved": z.object({
    ...thread,
    requestId: z.union([z.string(), z.number()]),
  }),
};

const remark = {
  warning: z.object({ threadId: text, message: z.string() }),
  guardianWarning: z.object({ ...thread, message: z.string() }),
  configWarning: z.object({ summary: z.string(), details: text }),
  "model/rerouted": z.object({ ...turn, fromModel: z.string(), toModel: z.string() }),
  "mcpServer/startupStatus/updated": z.object({
    threadId: text,
    name: z.string(),
    status: z.string(),
    error: text,
  }),
  "thread/name/updated": z.object({ ...thread, threadName: text }),
  "account/rateLimits/updated": z.object({
    rateLimits: z.object({
      limitId: text,
      limitName: text,
      primary: RateLimitWindow.nullish(),
      secondary: RateLimitWindow.nullish(),
    }),
  }),
};

/** Notifications with nothing that the log does not get from another one. */
const Quiet = z.looseObject({ threadId: text });
const quiet = {
  "thread/started": Quiet,
  "thread/status/changed": Quiet,
  "thread/readState/changed": Quiet,
  "thread/settings/updated": Quiet,
  "thread/queue/changed": Quiet,
  "thread/goal/cleared": Quiet,
  "thread/reverted": Quiet,
  "thread/archived": Quiet,
  "thread/unarchived": Quiet,
  "thread/closed": Quiet,
  "item/fileChange/outputDelta": Quiet,
  "item/commandExecution/terminalInteraction": Quiet,
  "account/updated": Quiet,
  "remoteControl/status/changed": Quiet,
  "skills/changed": Quiet,
  deprecationNotice: Quiet,
};

/** The schema of every notification that we read, by its method. */
export const notificationSchemas = { ...conversation, ...remark, ...quiet };

const schemas = { ...notificationSchemas, ...serverRequestSchemas, ...runMessageSchemas };

export type Method = keyof typeof schemas;

/** A server request's own fields; notifications have neither. */
interface Asked {
  /** The app-server's id, to answer with and to know its `serverRequest/resolved` by. */
  readonly id?: string | number;
  /** The session's id of the request, made by the run. */
  readonly correlation_id?: string;
  /** Why the policy asks a person about it, added by the run. */
  readonly policy?: RequestPolicy;
}

export type CodexMessageOf<Name extends Method> = Name extends Method
  ? Asked & { readonly method: Name; readonly params: z.infer<(typeof schemas)[Name]> }
  : never;

/** What we read of a thread's stream. */
export type CodexMessage = CodexMessageOf<Method>;

const Head = z.object({
  method: z.string(),
  params: z.unknown(),
  id: z.union([z.string(), z.number()]).optional(),
  correlation_id: z.string().optional(),
  policy: RequestPolicy.optional(),
});

/** Reads a message; undefined when it is of no kind that we know, or not of the form we know. */
export function codexMessageFrom(native: unknown): CodexMessage | undefined {
  const head = Head.safeParse(native);
  if (!head.success || !isMethod(head.data.method)) return undefined;
  const { method, params, id, correlation_id, policy } = head.data;
  const parsed = schemas[method].safeParse(params);
  if (!parsed.success) return undefined;
  const asked = {
    ...(id !== undefined && { id }),
    ...(correlation_id && { correlation_id }),
    ...(policy && { policy }),
  };
  // The method has chosen the schema, so the params are of the message with that method.
  return { method, params: parsed.data, ...asked } as CodexMessage;
}

/** The thread that a native message belongs to; messages about the whole process have none. */
export function threadIdOf(native: unknown): string | undefined {
  return Threaded.safeParse(native).data?.params.threadId ?? undefined;
}

const Threaded = z.object({ params: z.object({ threadId: text }) });

function isMethod(method: string): method is Method {
  return Object.hasOwn(schemas, method);
}
