import { isDeepStrictEqual } from "node:util";
import {
  type Attachment,
  type CommandOf,
  type HasAttachments,
  type JsonValue,
  replaceAt,
  type SessionEventOf,
  valueAt,
} from "@turnwire/protocol";
import { type AttachmentSource, restoreValue } from "@turnwire/log";
import type { TurnInput } from "@turnwire/runtime";

/** What a turn begins with, as it was sent. */
export async function restoreInput(
  input: TurnInput & HasAttachments,
  source: AttachmentSource,
): Promise<TurnInput> {
  const { attachments, content, context, callback, ...rest } = input;
  if (!attachments) return input;
  // All are parts of a user_message, and so are the paths.
  const parts = {
    content,
    ...(context !== undefined && { context }),
    ...(callback && { callback }),
  };
  const sent = parts as unknown as JsonValue;
  const whole: unknown = await restoreValue(sent, attachments, source);
  return { ...rest, ...(whole as Pick<TurnInput, "content" | "context" | "callback">) };
}

/**
 * A client that has only seen previews sends them back: they become the whole values again, so that
 * the agent never gets a preview. An input that then is what was asked about is not an edit and left out.
 */
export async function restoreAnswer(
  answer: CommandOf<"permission_response">,
  request: SessionEventOf<"permission_request">,
  source: AttachmentSource,
): Promise<CommandOf<"permission_response">> {
  const { updated_input: edited, ...rest } = answer;
  const attachments = inputAttachments(request);
  if (edited === undefined || attachments.length === 0) return answer;
  const shown = request.data.tool_input;
  const asked = await restoreToolInput(request, source);
  const input = attachments.reduce((value, { path }) => {
    const isPreview = isDeepStrictEqual(valueAt(value, path), valueAt(shown, path));
    return isPreview ? replaceAt(value, path, valueAt(asked, path) ?? null) : value;
  }, edited);
  return isDeepStrictEqual(input, asked) ? rest : { ...answer, updated_input: input };
}

/** What the agent asked to use the tool with, whole. */
export function restoreToolInput(
  request: SessionEventOf<"permission_request">,
  source: AttachmentSource,
): Promise<JsonValue> {
  return restoreValue(request.data.tool_input, inputAttachments(request), source);
}

function inputAttachments({ attachments = [] }: HasAttachments): Attachment[] {
  return attachments
    .filter(({ path }) => isWithinInput(path))
    .map((one) => ({ ...one, path: one.path.slice(INPUT_PATH.length) }));
}

const INPUT_PATH = "/tool_input";

function isWithinInput(path: string): boolean {
  return path === INPUT_PATH || path.startsWith(`${INPUT_PATH}/`);
}
