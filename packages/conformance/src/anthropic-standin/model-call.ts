import * as z from "zod";

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  content: z.unknown().optional(),
});

type Part = z.infer<typeof Part>;

const Message = z.object({
  role: z.string(),
  content: z.union([
    z.string().transform((text): Part[] => [{ type: "text", text }]),
    z.array(Part),
  ]),
});
type Message = z.infer<typeof Message>;

/** The parts of a Messages API request that choose the answer. */
const MessagesBody = z.object({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.boolean().default(false),
  messages: z.array(Message),
  output_config: z.looseObject({ format: z.unknown().optional() }).optional(),
});

/** The purpose of a call to the model. */
export type Purpose = "turn" | "title" | "summary" | "suggestion" | "probe";

/** One call to the model, as far as a scenario can see it. */
export interface ModelCall {
  readonly purpose: Purpose;
  readonly model: string;
  readonly isStreamed: boolean;
  /** The newest thing a person asked. */
  readonly prompt: string;
  /** How often the model has answered since. */
  readonly round: number;
  readonly interjections: readonly string[];
  readonly toolResults: readonly string[];
  /** Where the CLI wants the plan written, in plan mode. */
  readonly planFile: string | undefined;
}

/** Reads a request body; undefined when it is none of the Messages API. */
export function modelCallFromBody(body: unknown): ModelCall | undefined {
  const parsed = MessagesBody.safeParse(body);
  if (!parsed.success) return undefined;
  const { model, stream, messages } = parsed.data;
  const promptIndex = messages.findLastIndex((message) => promptOf(message) !== undefined);
  const prompt = promptOf(messages[promptIndex]) ?? "";
  const since = messages.slice(promptIndex + 1);
  return {
    purpose: purposeOf(parsed.data, prompt),
    model,
    isStreamed: stream,
    prompt,
    round: since.filter(({ role }) => role === "assistant").length,
    interjections: since.flatMap(interjectionsOf),
    toolResults: toolResultsOf(since),
    planFile: planFileOf(messages),
  };
}

function purposeOf(body: z.infer<typeof MessagesBody>, prompt: string): Purpose {
  if (body.max_tokens === 1) return "probe";
  if (body.output_config?.format !== undefined && prompt.includes("<session>")) return "title";
  if (prompt.includes("Reply with ONLY the suggestion")) return "suggestion";
  if (/create a detailed summary of/i.test(prompt)) return "summary";
  return "turn";
}

/** Texts that the CLI itself puts into a user message. */
const notSaid = [
  /^<system-reminder>/,
  /^\[Request interrupted/,
  /^Output token limit hit/,
  /^\[structured-output-enforce\]/,
  /^<local-command/,
  /^Your response above was stopped by a safety classifier/,
];

/** A person's words in a user message: its last text that no machine wrote. */
function promptOf(message: Message | undefined): string | undefined {
  if (message?.role !== "user") return undefined;
  return message.content
    .flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text.trim()] : []))
    .findLast((text) => text !== "" && !notSaid.some((pattern) => pattern.test(text)));
}

const planFileHint = /create your plan at (\S+\.md) using the Write tool/;

function planFileOf(messages: readonly Message[]): string | undefined {
  const texts = messages.flatMap(({ content }) => content.map(({ text = "" }) => text));
  const hint = texts.findLast((text) => planFileHint.test(text));
  return hint === undefined ? undefined : planFileHint.exec(hint)?.[1];
}

const interjection = /^The user sent a new message while you were working:\s*(.*?)(?:\n\n|$)/s;

/** A prompt that comes while a tool runs reaches the model as a system message. */
function interjectionsOf({ role, content }: Message): string[] {
  if (role !== "system") return [];
  return content.flatMap(({ text = "" }) => interjection.exec(text.trim())?.[1] ?? []);
}

function toolResultsOf(messages: readonly Message[]): string[] {
  const newest = messages.findLast(({ content }) => content.some(isToolResult));
  return newest ? newest.content.filter(isToolResult).map(({ content }) => textOf(content)) : [];
}

function isToolResult({ type }: { type: string }): boolean {
  return type === "tool_result";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = z.array(Part).safeParse(content);
  return parts.success ? parts.data.map(({ text = "" }) => text).join("\n") : "";
}
