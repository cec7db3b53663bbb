import type { Session } from "@turnwire/client";
import type { AgentMessage, SessionState, TextBlock } from "@turnwire/protocol";

/** What became of a message: its turn has not ended, has ended, or will never begin. */
export type MessageFate =
  | { readonly type: "pending"; readonly isQueued: boolean }
  | { readonly type: "ended"; readonly turnId: string }
  | { readonly type: "withdrawn" };

/** The fate of a message that is in the log at `seq`. */
export function messageFate(
  { messages, queue, turn, seq }: SessionState,
  accepted: { readonly message_id: string; readonly seq: number },
): MessageFate {
  const turnId = messages.findLast(({ id }) => id === accepted.message_id)?.turn_id;
  if (turnId !== undefined) {
    const isRunning = turn?.turn_id === turnId;
    return isRunning ? { type: "pending", isQueued: false } : { type: "ended", turnId };
  }
  const isQueued = queue.some(({ message_id }) => message_id === accepted.message_id);
  return isQueued || seq < accepted.seq
    ? { type: "pending", isQueued: true }
    : { type: "withdrawn" };
}

/** The agent's final answer in a turn, whole: what it said last, else what its result says. */
export async function turnAnswer(session: Session, turnId: string): Promise<string> {
  const messages = messagesOf(session.getState().session, turnId);
  const texts = messages.flatMap(({ blocks }) =>
    blocks.filter((block): block is TextBlock => block.type === "text"),
  );
  const lastId = texts.at(-1)?.message_id;
  const whole = await Promise.all(
    texts
      .filter(({ message_id }) => message_id === lastId)
      .map(async (block) => (await session.restore(block)).text),
  );
  const said = whole.join("");
  return said.trim() === "" ? (resultOf(messages)?.text ?? "") : said;
}

/** What went wrong in a turn, for people. */
export function turnProblem(state: SessionState, turnId: string): string | undefined {
  const messages = messagesOf(state, turnId);
  const errors = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "error" ? [block.message] : [])),
  );
  const result = resultOf(messages);
  return errors.at(-1) ?? result?.text ?? result?.subtype;
}

function messagesOf({ messages }: SessionState, turnId: string): AgentMessage[] {
  return messages.filter(
    (message): message is AgentMessage => message.role === "agent" && message.turn_id === turnId,
  );
}

function resultOf(messages: readonly AgentMessage[]): AgentMessage["result"] {
  return messages.findLast(({ result }) => result)?.result;
}
