import { createHash } from "node:crypto";
import type { Attachment, JsonValue } from "@turnwire/protocol";

/** A part of an event's data. */
export interface Part {
  /** JSON Pointer into the data. */
  readonly path: string;
  readonly value: JsonValue;
  /** The object or list that has the value. */
  readonly owner: JsonValue;
}

/** A part that is stored beside the log. */
export interface StoredPart {
  readonly attachment: Attachment;
  readonly content: Uint8Array;
  readonly preview: JsonValue;
  /** Bytes by which the event gets smaller. */
  readonly gain: number;
}

/** Takes a part out of its event; `preview` stands in its place, except for base64, which shows nothing. */
export function storedPart(part: Part, preview: JsonValue): StoredPart {
  const { content, media_type, encoding } = contentOf(part);
  const attachment: Attachment = {
    path: part.path,
    digest: digestOfContent(content),
    size: content.byteLength,
    media_type,
    encoding,
  };
  const shown = encoding === "base64" ? "" : preview;
  const gain = jsonBytes(part.value) - jsonBytes(shown) - jsonBytes(attachment) - ",".length;
  return { attachment, content, preview: shown, gain };
}

/** The value that a stored payload encodes. */
export function valueFromContent(content: Uint8Array, encoding: Attachment["encoding"]): JsonValue {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  switch (encoding) {
    case "text":
      return bytes.toString("utf8");
    case "base64":
      return bytes.toString("base64");
    case "json":
      return JSON.parse(bytes.toString("utf8"));
  }
}

/** The SHA-256 of a payload as attachments are named. */
export function digestOfContent(content: Uint8Array): string {
  return `sha256-${createHash("sha256").update(content).digest("hex")}`;
}

/** The length of a value's JSON in bytes. */
export function jsonBytes(value: JsonValue | Attachment): number {
  return Buffer.byteLength(JSON.stringify(value));
}

type Content = Pick<Attachment, "media_type" | "encoding"> & { readonly content: Uint8Array };

function contentOf({ value, owner }: Part): Content {
  if (typeof value !== "string" || hasLoneSurrogate(value)) {
    const content = Buffer.from(JSON.stringify(value));
    return { content, media_type: "application/json", encoding: "json" };
  }
  const mediaType = base64MediaType(value, owner);
  if (mediaType !== undefined) {
    const content = Buffer.from(value, "base64");
    // Decoded, so that it can be shown as what it is, but only where nothing is lost by that.
    if (content.toString("base64") === value) {
      return { content, media_type: mediaType, encoding: "base64" };
    }
  }
  return { content: Buffer.from(value), media_type: "text/plain", encoding: "text" };
}

/** UTF-8 has no place for half a pair. */
function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

/** The media type of base64 data: as agents' messages name it (`media_type`), or MCP (`mimeType`). */
function base64MediaType(value: string, owner: JsonValue): string | undefined {
  if (typeof owner !== "object" || owner === null || Array.isArray(owner)) return undefined;
  if (owner["data"] !== value) return undefined;
  const mediaType = owner["type"] === "base64" ? owner["media_type"] : owner["mimeType"];
  return typeof mediaType === "string" && MEDIA_TYPE.test(mediaType) ? mediaType : undefined;
}
