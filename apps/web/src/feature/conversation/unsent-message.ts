import { isObject } from "@turnwire/base";
import type { SessionView } from "@turnwire/client";
import { ContentBlock, type Delivery, type MessageContent } from "@turnwire/protocol";
import { plainError } from "../../element/plain-error.ts";

/** A message that the server may not have received, kept across reloads and log-ins. */
export interface UnsentMessage {
  readonly client_message_id: string;
  readonly content: MessageContent;
  readonly isSteering: boolean;
  /** When the person sent it, in milliseconds. */
  readonly sentAt: number;
  /** Why it was refused; missing while the answer is still to come. */
  readonly problem?: string;
  /** How many attachments were too large to keep. */
  readonly lostFiles?: number;
}

type Outbox = SessionView["sending"];

/** A message that was interrupted longer ago is not sent without asking: the person may have changed their mind. */
const RESEND_MS = 60 * 60_000;

/** What is kept after this page's outbox has changed: what is sent or discarded goes, the rest stays. */
export function unsentAfter(
  kept: readonly UnsentMessage[],
  { before, after, now }: { readonly before: Outbox; readonly after: Outbox; readonly now: number },
): readonly UnsentMessage[] {
  const others = kept.filter(({ client_message_id: id }) => !(id in before) && !(id in after));
  const own = Object.values(after).flatMap((message) => {
    if (message.status === "sent") return [];
    const { client_message_id, content, delivery, error, status } = message;
    const sentAt = kept.find((one) => one.client_message_id === client_message_id)?.sentAt ?? now;
    // A log-in that has ended is not an answer: the message is sent again after the next one.
    const isRefused = status === "failed" && error !== undefined && error.status !== 401;
    return [
      {
        client_message_id,
        content,
        isSteering: isSteer(delivery),
        sentAt,
        ...(isRefused && { problem: plainError(error) }),
      },
    ];
  });
  return [...others, ...own];
}

function isSteer(delivery: Delivery): boolean {
  return delivery === "steer";
}

/** The kept messages that the log does not have. */
export function missingFrom(
  kept: readonly UnsentMessage[],
  { session: { messages, queue } }: Pick<SessionView, "session">,
): readonly UnsentMessage[] {
  const received = new Set<string | undefined>();
  for (const message of messages) {
    if (message.role === "user") received.add(message.client_message_id);
  }
  for (const message of queue) received.add(message.client_message_id);
  return kept.filter(({ client_message_id: id }) => !received.has(id));
}

/** Whether to send it again without asking: it was interrupted a short while ago, and is still whole. */
export function isResendable(message: UnsentMessage, now: number): boolean {
  const { problem, lostFiles, sentAt } = message;
  return problem === undefined && lostFiles === undefined && now - sentAt < RESEND_MS;
}

const PREFIX = "turnwire.unsent.";

type UnsentStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** What was kept of a session; nothing where the storage holds something else. */
export function loadUnsent(
  sessionId: string,
  storage: UnsentStorage = localStorage,
): readonly UnsentMessage[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(PREFIX + sessionId) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isUnsent) : [];
  } catch {
    return [];
  }
}

/** Keeps messages; where there is no room for their attachments, it keeps their texts. */
export function saveUnsent(
  { sessionId, kept }: { readonly sessionId: string; readonly kept: readonly UnsentMessage[] },
  storage: UnsentStorage = localStorage,
): void {
  const key = PREFIX + sessionId;
  if (kept.length === 0) {
    storage.removeItem(key);
    return;
  }
  try {
    storage.setItem(key, JSON.stringify(kept));
  } catch {
    try {
      storage.setItem(key, JSON.stringify(kept.map(withoutFiles)));
    } catch {
      // A full storage only means that these messages do not outlive the page.
    }
  }
}

function withoutFiles(message: UnsentMessage): UnsentMessage {
  const { content } = message;
  if (typeof content === "string") return message;
  const texts = content.filter(({ type }) => type === "text");
  const lostFiles = (message.lostFiles ?? 0) + content.length - texts.length;
  return { ...message, content: texts, ...(lostFiles > 0 && { lostFiles }) };
}

function isUnsent(value: unknown): value is UnsentMessage {
  if (!isObject(value)) return false;
  const { client_message_id, content, isSteering, sentAt } = value;
  const isContent =
    typeof content === "string" ||
    (Array.isArray(content) && content.every((block) => ContentBlock.safeParse(block).success));
  return (
    typeof client_message_id === "string" &&
    isContent &&
    typeof isSteering === "boolean" &&
    typeof sentAt === "number"
  );
}
