import { createHash } from "node:crypto";
import type { JsonValue, SessionState } from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";

/** A message on this wire; the ids that every one carries are added by `frameOf`. */
export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * A line with the ids of its session and of itself. Its uuid follows from what it is about, so that
 * a replay, another process or an opening gives the same one: readers drop what they have.
 */
export function frameOf(state: SessionState, identity: string, line: Line): Frame {
  const { session_id } = state.session;
  const uuid = uuidFrom(`${session_id}\n${identity}`);
  return { name: line.type, data: JSON.stringify({ ...line, session_id, uuid }) };
}

/** A line that names itself by a request's id. */
export function plainFrame(line: Line): Frame {
  return { name: line.type, data: JSON.stringify(line) };
}

/** A UUID of version 8 (RFC 9562): its bits are ours to choose. */
function uuidFrom(identity: string): string {
  const bytes = createHash("sha256").update(identity).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [8, 12, 16, 20, 32]
    .map((end, index, ends) => hex.slice(ends[index - 1] ?? 0, end))
    .join("-");
}

/** One content block of an assistant message, in a line of its own, as the CLI prints them. */
export function assistantLine(
  state: SessionState,
  {
    messageId,
    parentId,
    block,
  }: {
    readonly messageId: string;
    readonly parentId: string | undefined;
    readonly block: Readonly<Record<string, JsonValue>>;
  },
): Line {
  return {
    type: "assistant",
    message: {
      id: messageId,
      type: "message",
      role: "assistant",
      model: modelOf(state),
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    },
    parent_tool_use_id: parentId ?? null,
  };
}

/** The CLI's word for messages that no model wrote. */
export function modelOf({ session }: SessionState): string {
  return session.model ?? "<synthetic>";
}
