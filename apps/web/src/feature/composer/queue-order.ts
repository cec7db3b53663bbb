import type { MessageContent, QueuedMessage } from "@turnwire/protocol";

/** What changing the queue needs of a session. */
export interface QueuePort {
  readonly createId: () => string;
  readonly send: (
    content: MessageContent,
    options: { readonly client_message_id: string; readonly delivery: "queue" | "steer" },
  ) => Promise<{ readonly message_id: string }>;
  readonly withdraw: (messageId: string) => Promise<unknown>;
  /** Forgets a message that was refused. */
  readonly discard: (clientMessageId: string) => void;
  /** A message with its stored attachments. */
  readonly restore: (message: QueuedMessage) => Promise<QueuedMessage>;
}

export type ChangeOutcome = "done" | "too_late";

/**
 * Puts messages in place of the end of the queue. Copies are sent before the old ones are withdrawn: a page that is closed in
 * between leaves a message twice rather than not at all. Where the first old one has started meanwhile, the change comes
 * too late, and the queue stays as it was.
 */
export async function replaceTail(
  port: QueuePort,
  tail: readonly QueuedMessage[],
  next: readonly MessageContent[],
): Promise<ChangeOutcome> {
  const copies: string[] = [];
  try {
    for (const content of next) copies.push(await sendOnce(port, content, "queue"));
  } catch (error) {
    await withdrawAll(port, copies);
    throw error;
  }
  const [first, ...others] = tail;
  if (first && !(await isWithdrawn(port, first.message_id))) {
    await withdrawAll(port, copies);
    return "too_late";
  }
  await withdrawAll(
    port,
    others.map(({ message_id: id }) => id),
  );
  return "done";
}

/** The queue from a place on, with that message before the one it follows. */
export async function moveUp(
  port: QueuePort,
  queue: readonly QueuedMessage[],
  index: number,
): Promise<ChangeOutcome> {
  const tail = await Promise.all(queue.slice(index - 1).map((message) => port.restore(message)));
  const [before, moved, ...rest] = tail;
  if (!before || !moved) return "too_late";
  const next = [moved, before, ...rest].map(({ content }) => content);
  return replaceTail(port, tail, next);
}

/** The message at a place with another text; its attachments stay. */
export async function rewrite(
  port: QueuePort,
  queue: readonly QueuedMessage[],
  { index, text }: { readonly index: number; readonly text: string },
): Promise<ChangeOutcome> {
  const tail = await Promise.all(queue.slice(index).map((message) => port.restore(message)));
  const [changed, ...rest] = tail;
  if (!changed) return "too_late";
  const files = changed.content.filter(({ type }) => type !== "text");
  const words = text.trim() === "" ? [] : [{ type: "text" as const, text }];
  const contents = [[...files, ...words], ...rest.map(({ content }) => content)];
  return replaceTail(port, tail, contents);
}

/** Sends a waiting message into the running turn. */
export async function sendNow(port: QueuePort, message: QueuedMessage): Promise<void> {
  const { content, message_id: id } = await port.restore(message);
  await sendOnce(port, content, "steer");
  await port.withdraw(id);
}

/** A copy that is refused must not be shown as a message that was not sent: the original still waits. */
async function sendOnce(
  port: QueuePort,
  content: MessageContent,
  delivery: "queue" | "steer",
): Promise<string> {
  const client_message_id = port.createId();
  try {
    return (await port.send(content, { client_message_id, delivery })).message_id;
  } catch (error) {
    port.discard(client_message_id);
    throw error;
  }
}

async function isWithdrawn(port: QueuePort, id: string): Promise<boolean> {
  try {
    await port.withdraw(id);
    return true;
  } catch {
    return false;
  }
}

async function withdrawAll(port: QueuePort, ids: readonly string[]): Promise<void> {
  // From the end, so that what starts meanwhile is the one that would have been next.
  for (const id of ids.toReversed()) await isWithdrawn(port, id);
}
