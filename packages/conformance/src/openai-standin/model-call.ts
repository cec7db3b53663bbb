import * as z from "zod";

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  encrypted_content: z.string().optional(),
});

const InputItem = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
});
type InputItem = z.infer<typeof InputItem>;

/** The parts of a Responses request that choose the answer. */
const ResponsesBody = z.object({ model: z.string(), input: z.array(InputItem) });

/** One call to the model, as far as a scenario can see it. */
export interface ModelCall {
  readonly purpose: "turn" | "compaction";
  readonly model: string;
  /** The newest thing a person, or the agent above, asked. */
  readonly prompt: string;
  /** How often the model has answered since. */
  readonly round: number;
  readonly toolOutputs: readonly string[];
}

/** Reads a request body; undefined when it is none of the Responses API. */
export function modelCallFromBody(body: unknown): ModelCall | undefined {
  const parsed = ResponsesBody.safeParse(body);
  if (!parsed.success) return undefined;
  const { model, input } = parsed.data;
  const promptIndex = input.findLastIndex((item) => promptOf(item) !== undefined);
  const prompt = promptOf(input[promptIndex]) ?? "";
  const since = input.slice(promptIndex + 1);
  return {
    purpose: prompt.includes("CONTEXT CHECKPOINT COMPACTION") ? "compaction" : "turn",
    model,
    prompt,
    round: countAnswers(since),
    toolOutputs: since.filter(isOutput).map(({ output }) => textOf(output)),
  };
}

/** Texts that Codex itself puts into a user message. */
const notSaid = [/^</, /^# AGENTS\.md/, /^Approved command prefix/, /^Warning:/];

function promptOf(item: InputItem | undefined): string | undefined {
  if (item?.type === "agent_message") return taskOf(item);
  if (item?.role !== "user") return undefined;
  const said = textOf(item.content).trim();
  return said === "" || notSaid.some((pattern) => pattern.test(said)) ? undefined : said;
}

/** The task that a sub-agent got from the agent above; agents write each other in sealed words. */
function taskOf({ content }: InputItem): string | undefined {
  const parts = z.array(Part).safeParse(content).data ?? [];
  const isTask = parts[0]?.text?.startsWith("Message Type: NEW_TASK") === true;
  return isTask ? parts.map(({ encrypted_content = "" }) => encrypted_content).join("") : undefined;
}

/** Each run of items of the model's own is one answer; the tools' outputs stand between. */
function countAnswers(items: readonly InputItem[]): number {
  return items.filter((item, index) => {
    const before = items[index - 1];
    return isAnswer(item) && (before === undefined || !isAnswer(before));
  }).length;
}

function isAnswer(item: InputItem): boolean {
  if (item.role !== undefined) return item.role === "assistant";
  return !isOutput(item) && item.type !== "agent_message";
}

function isOutput({ type = "" }: InputItem): boolean {
  return type.endsWith("_output");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = z.array(Part).safeParse(content);
  return parts.success ? parts.data.map(({ text = "" }) => text).join("\n") : "";
}
