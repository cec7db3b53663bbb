import * as z from "zod";
import { isSteerId } from "./input.ts";
import type { Position } from "./position.ts";
import type { ClaudeSdk } from "./sdk.ts";

/** One message of a transcript, on its active branch. */
export interface TranscriptMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: unknown;
}

/** Reads what the CLI wrote down. */
export interface Transcripts {
  read(sessionId: string, cwd: string): Promise<readonly TranscriptMessage[]>;
}

export function createTranscripts(sdk: ClaudeSdk): Transcripts {
  return {
    // A session keeps its place when it goes on in another directory, so all are searched.
    read: (sessionId) => sdk.getSessionMessages(sessionId),
  };
}

const Spoken = z.object({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** What the CLI writes in the person's name. */
const notices = new Set([
  "[Request interrupted by user]",
  "[Request interrupted by user for tool use]",
]);

/** The messages that began a turn, oldest first. */
export function promptsOf(messages: readonly TranscriptMessage[]): TranscriptMessage[] {
  return messages.filter(isPrompt);
}

function isPrompt({ type, uuid, message }: TranscriptMessage): boolean {
  if (type !== "user" || isSteerId(uuid)) return false;
  const spoken = Spoken.safeParse(message);
  if (!spoken.success) return false;
  const { content } = spoken.data;
  if (typeof content === "string") return !isNotice(content);
  return !content.every(
    (block) =>
      block.type === "tool_result" ||
      (typeof block["text"] === "string" && isNotice(block["text"])),
  );
}

function isNotice(text: string): boolean {
  return (
    notices.has(text) ||
    text.startsWith("<local-command-stdout>") ||
    text.startsWith("<command-name>")
  );
}

/** Where the conversation stood before the prompt. */
export function positionBefore(
  messages: readonly TranscriptMessage[],
  prompt: TranscriptMessage,
): Omit<Position, "sessionId"> {
  const before = messages[messages.indexOf(prompt) - 1];
  return before ? { after: before.uuid } : { isStart: true };
}

/** The last message of the first turns; undefined when they are all there are. */
export function lastOfTurns(
  messages: readonly TranscriptMessage[],
  turns: number,
): string | undefined {
  const next = promptsOf(messages)[turns];
  return next && messages[messages.indexOf(next) - 1]?.uuid;
}
