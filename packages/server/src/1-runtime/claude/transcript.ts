import * as z from "zod";
import { RuntimeError } from "../runtime.ts";
import { isSteerId } from "./input.ts";
import type { Position } from "./position.ts";
import type { ClaudeSdk } from "./sdk.ts";

/** One message of a transcript, on its active branch. */
export interface TranscriptMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: unknown;
}

/** What the CLI wrote down up to the position; nothing when there is no such session. */
export async function readTranscript(
  sdk: ClaudeSdk,
  { sessionId, after, isStart }: Position,
): Promise<readonly TranscriptMessage[]> {
  if (isStart) return [];
  // A session keeps its place when it goes on in another directory, so all are searched.
  const messages = await sdk.getSessionMessages(sessionId, { includeSystemMessages: true });
  const last = messages.findIndex(({ uuid }) => uuid === after);
  return last < 0 ? messages : messages.slice(0, last + 1);
}

const Spoken = z.object({
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
});

/** What the CLI writes in the person's name. */
const notices = new Set([
  "[Request interrupted by user]",
  "[Request interrupted by user for tool use]",
]);

/** Whether the message began a turn. */
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

/** The turns of a session, as far as we know them. */
export interface KnownTurns {
  /** All finished turns, oldest first. */
  readonly turnIds: readonly string[];
  /** The first turn that does not count any more. */
  readonly turnIndex: number;
}

/**
 * The message right before a turn; nothing when the turn is the first of all, and the last message
 * when the agent never heard of the turn. Rejects when the turn lies in what was compacted.
 */
export function messageBefore(
  messages: readonly TranscriptMessage[],
  turns: KnownTurns,
): TranscriptMessage | undefined {
  const prompt = findPrompt(messages, turns);
  return prompt ? messages[messages.indexOf(prompt) - 1] : messages.at(-1);
}

/** The first prompt from the given turn on; a turn that failed to start has none. */
export function findPrompt(
  messages: readonly TranscriptMessage[],
  { turnIds, turnIndex }: KnownTurns,
): TranscriptMessage | undefined {
  const prompts = messages.filter(isPrompt);
  const known = new Set(turnIds);
  const later = new Set(turnIds.slice(turnIndex));
  // A copy has other ids than the turns it was made of: there, only the order tells.
  const isCopy = !prompts.some(({ uuid }) => known.has(uuid));
  const found = isCopy ? prompts[turnIndex] : prompts.find(({ uuid }) => later.has(uuid));
  // The active branch of a compacted session begins with the boundary.
  const isCompacted = messages[0]?.type === "system";
  if (isCompacted && later.size > 0 && (isCopy || found?.uuid !== turnIds[turnIndex])) {
    throw new RuntimeError("protocol", "Claude has compacted that turn: it cannot be undone.");
  }
  return found;
}
