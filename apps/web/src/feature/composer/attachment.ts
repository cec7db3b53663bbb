import type { ContentBlock, MessageContent } from "@turnwire/protocol";

/** A file that goes with a message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly block: Exclude<ContentBlock, { type: "text" }>;
}

interface FileFacts {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

interface Acceptance {
  readonly images: boolean;
  readonly documents: boolean;
  /** Bytes of what is attached already. */
  readonly attached: number;
}

const MEGABYTE = 1024 * 1024;

/** The largest image that the models accept. */
const IMAGE_BYTES = 5 * MEGABYTE;

/** The server accepts 20 MB per message, and base64 adds a third. */
const TOTAL_BYTES = 14 * MEGABYTE;

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
type ImageType = (typeof imageTypes)[number];

/** Undefined for image types that some runtimes do not accept. */
export function imageTypeOf(type: string): ImageType | undefined {
  return imageTypes.find((known) => known === type);
}

/** The file types that the picker offers. */
export function acceptedFiles({ images, documents }: Omit<Acceptance, "attached">): string {
  if (documents) return "";
  return images ? imageTypes.join(",") : "";
}

/** Why a file cannot be attached; undefined if it can. */
export function attachmentProblem(file: FileFacts, acceptance: Acceptance): string | undefined {
  const { name, type, size } = file;
  if (size === 0) return `${name} is empty.`;
  if (type.startsWith("image/")) {
    if (!acceptance.images) return `${name}: this agent does not accept images.`;
    if (!imageTypeOf(type)) return `${name}: only PNG, JPEG, GIF and WebP images can be sent.`;
    if (size > IMAGE_BYTES) return tooBig(file, IMAGE_BYTES);
  } else if (!acceptance.documents) return `${name}: this agent does not accept documents.`;
  const left = TOTAL_BYTES - acceptance.attached;
  if (size <= left) return undefined;
  return acceptance.attached === 0
    ? tooBig(file, TOTAL_BYTES)
    : `${name}: all attachments together may be ${megabytes(TOTAL_BYTES)} at most. Send them separately.`;
}

function tooBig({ name, size }: FileFacts, limit: number): string {
  return `${name} is ${megabytes(size)}, over the limit of ${megabytes(limit)}.`;
}

/** A size for people. */
export function megabytes(bytes: number): string {
  if (bytes < MEGABYTE / 10) return `${Math.ceil(bytes / 1024)} kB`;
  return `${(bytes / MEGABYTE).toFixed(1).replace(/\.0$/, "")} MB`;
}

/** The content of a message: attachments first, then the text. */
export function contentFrom(text: string, attachments: readonly Attachment[]): MessageContent {
  if (attachments.length === 0) return text;
  const words = text.trim() === "" ? [] : [{ type: "text" as const, text }];
  return [...attachments.map(({ block }) => block), ...words];
}

/** The files of a withdrawn message, as attachments again. */
export function attachmentsFromContent(
  messageId: string,
  content: readonly ContentBlock[],
): readonly Attachment[] {
  return content.flatMap((block, index) => {
    if (block.type === "text") return [];
    const name = block.type === "document" ? (block.title ?? "Document") : "Image";
    return [{ id: `${messageId} ${index}`, name, bytes: decodedBytes(block.source.data), block }];
  });
}

/** Four characters of base64 carry three bytes. */
function decodedBytes(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
