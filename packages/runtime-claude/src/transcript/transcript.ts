import type { SessionStore } from "@anthropic-ai/claude-agent-sdk";
import * as z from "zod";
import { RuntimeError } from "@turnwire/runtime";
import { isOwnTurnId, isSteerId } from "./input.ts";
import type { Position } from "./position.ts";
import type { ClaudeSdk } from "../setting/sdk.ts";

/** One message of a transcript, on its active branch. */
export interface TranscriptMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: unknown;
  readonly timestamp?: string;
  /** The CLI wrote it, such as the summary of what it compacted. */
  readonly is_meta?: boolean;
}

/** What the CLI wrote down up to the position; nothing when there is no such session. */
export async function readTranscript(
  sdk: ClaudeSdk,
  { sessionId, after, isStart }: Position,
  sessionStore?: SessionStore,
): Promise<readonly TranscriptMessage[]> {
  if (isStart) return [];
  // A session keeps its place when it continues in another directory, so all are searched.
  const messages = await sdk.getSessionMessages(sessionId, {
    includeSystemMessages: true,
    ...(sessionStore && { sessionStore }),
  });
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
export function isPrompt({ type, uuid, message }: TranscriptMessage): boolean {
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
  /** All turns, oldest first; the last one may still run. */
  readonly turnIds: readonly string[];
  /** The first turn that does not count any more. */
  readonly turnIndex: number;
}

/**
 * The message right before a turn; nothing when the turn is the first of all, and the last message
 * when the agent never heard of the turn. Rejects when the turn is part of what was compacted.
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
  // The active branch of a compacted session begins with the boundary.
  const isCompacted = messages[0]?.type === "system";
  const found = placedPrompts(messages, turnIds, isCompacted).find(
    ({ turn }) => turn >= turnIndex,
  )?.prompt;
  const isLater = turnIds.length > turnIndex;
  if (isCompacted && isLater && found?.uuid !== turnIds[turnIndex]) {
    throw new RuntimeError("protocol", "Claude has compacted that turn: it cannot be undone.");
  }
  return found;
}

interface PlacedPrompt {
  readonly prompt: TranscriptMessage;
  /** The index of the turn that it began. */
  readonly turn: number;
}

/**
 * The prompts with the turns they began. Most have their turn's id. Those that were copied have
 * other ids: they stand first, and only their order identifies them. A later one without a turn's id began a
 * turn that the agent started by itself, or was written in a terminal and belongs to no turn.
 */
function placedPrompts(
  messages: readonly TranscriptMessage[],
  turnIds: readonly string[],
  isCompacted: boolean,
): readonly PlacedPrompt[] {
  const placed: PlacedPrompt[] = [];
  const indexes = new Map(turnIds.map((id, index) => [id, index]));
  let turn = -1;
  let isCopied = !isCompacted;
  for (const prompt of messages.filter(isPrompt)) {
    const known = indexes.get(prompt.uuid);
    if (known !== undefined) isCopied = false;
    turn = known ?? (isCopied ? turn + 1 : nextOwnTurn(turnIds, turn));
    placed.push({ prompt, turn });
  }
  return placed;
}

/** The next turn after the given one that the agent started by itself; the given one if there is none. */
function nextOwnTurn(turnIds: readonly string[], after: number): number {
  const next = turnIds.findIndex((id, index) => index > after && isOwnTurnId(id));
  return next < 0 ? after : next;
}
