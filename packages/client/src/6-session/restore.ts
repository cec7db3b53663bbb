import {
  type Attachment,
  type HasAttachments,
  type JsonValue,
  replaceAt,
} from "@turnwire/protocol";
import type { Platform } from "../5-connection/platform.ts";

export interface RestoreOptions {
  readonly platform: Pick<Platform, "createTextDecoder">;
  readonly load: (digest: string) => Promise<Uint8Array>;
}

/** A block, message or request with its attachments in the places of their previews. */
export async function restore<Value extends HasAttachments>(
  shown: Value,
  { platform, load }: RestoreOptions,
): Promise<Value> {
  const { attachments = [], ...rest } = shown;
  // Everything in a folded state is JSON.
  let whole = rest as unknown as JsonValue;
  for (const { path, digest, encoding } of attachments) {
    const bytes = await load(digest);
    whole = replaceAt(whole, path, valueFrom(bytes, encoding, platform));
  }
  return whole as unknown as Value;
}

function valueFrom(
  bytes: Uint8Array,
  encoding: Attachment["encoding"],
  platform: RestoreOptions["platform"],
): JsonValue {
  if (encoding === "base64") return base64From(bytes);
  const text = platform.createTextDecoder().decode(bytes, { stream: true });
  return encoding === "text" ? text : JSON.parse(text);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Not every runtime has a function for it that takes bytes. */
function base64From(bytes: Uint8Array): string {
  const quads: string[] = [];
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = bytes.subarray(index, index + 3);
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    quads.push(
      DIGITS.charAt(bits >> 18),
      DIGITS.charAt((bits >> 12) & 63),
      second === undefined ? "=" : DIGITS.charAt((bits >> 6) & 63),
      third === undefined ? "=" : DIGITS.charAt(bits & 63),
    );
  }
  return quads.join("");
}
