import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { ContentBlock } from "@turnwire/protocol";
import { randomUUID, type UUID } from "node:crypto";
import { type TurnInput, RuntimeError } from "@turnwire/runtime";

type UserContent = Exclude<SDKUserMessage["message"]["content"], string>;
type UserBlock = UserContent[number];

/** What the Messages API takes, in bytes of the decoded file. */
const maxImageBytes = 5 * 1024 * 1024;
const maxDocumentBytes = 32 * 1024 * 1024;

/** A person's words as the SDK takes them. */
export function messageFromInput(
  input: Pick<TurnInput, "content" | "context">,
  uuid: UUID,
): SDKUserMessage {
  const { content, context } = input;
  const blocks: UserBlock[] = content.map(blockFromContent);
  if (context !== undefined) {
    blocks.unshift({
      type: "text",
      text: `Context from the user interface: ${JSON.stringify(context)}`,
    });
  }
  return userMessage(blocks, uuid);
}

/** A command of the CLI itself, such as /compact. */
export function commandMessage(text: string): SDKUserMessage {
  return userMessage([{ type: "text", text }], randomUUID());
}

function userMessage(content: UserContent, uuid: UUID): SDKUserMessage {
  return { type: "user", message: { role: "user", content }, parent_tool_use_id: null, uuid };
}

function blockFromContent(block: ContentBlock): UserBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      checkSize("image", block.source.data, maxImageBytes);
      return { type: "image", source: block.source };
    case "document":
      return documentFromContent(block);
  }
}

function documentFromContent({
  title,
  source,
}: Extract<ContentBlock, { type: "document" }>): UserBlock {
  checkSize("document", source.data, maxDocumentBytes);
  const { media_type, data } = source;
  const named = title === undefined ? {} : { title };
  if (media_type === "application/pdf") {
    return { type: "document", ...named, source: { type: "base64", media_type, data } };
  }
  const text = Buffer.from(data, "base64").toString("utf8");
  return { type: "document", ...named, source: { type: "text", media_type, data: text } };
}

/** Whether it is small enough for Claude. */
export function isSendable(block: ContentBlock): boolean {
  if (block.type === "text") return true;
  const maxBytes = block.type === "image" ? maxImageBytes : maxDocumentBytes;
  return Buffer.byteLength(block.source.data, "base64") <= maxBytes;
}

function checkSize(kind: string, data: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(data, "base64");
  if (bytes <= maxBytes) return;
  const [size, limit] = [bytes, maxBytes].map((count) => (count / 1024 / 1024).toFixed(1));
  throw new RuntimeError(
    "invalid_input",
    `The ${kind} has ${size} MB; Claude takes at most ${limit} MB. Send a smaller one.`,
  );
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id of a turn's own message: the turn's, so that it is found again in the transcript. */
export function turnMessageId(turnId: string): UUID {
  return isUuid(turnId) ? turnId : randomUUID();
}

function isUuid(id: string): id is UUID {
  return uuidPattern.test(id);
}

/**
 * The id of a message that joins a running turn, by which it is found again in the transcript. Version 8
 * sets it apart from a turn's own message (version 4), so that the transcript itself shows where turns begin.
 */
export function steerId(messageId = ""): UUID {
  const id = isUuid(messageId) ? messageId : randomUUID();
  return `${id.slice(0, 14)}8${id.slice(15)}` as UUID;
}

export function isSteerId(id: string): boolean {
  return id[14] === "8";
}

/** The id of a turn that the agent started by itself, by the first message of it that was seen. */
export function ownTurnId(uuid: string): string {
  return `turn-${uuid}`;
}

export function isOwnTurnId(id: string): boolean {
  return id.startsWith("turn-");
}
