import * as z from "zod";

/** No event is larger than this, in bytes of its JSON: what is too large is stored beside the log. */
export const MAX_EVENT_BYTES = 256 * 1024;

/** The name of a stored payload: its SHA-256. */
export const AttachmentDigest = z.string().regex(/^sha256-[0-9a-f]{64}$/);

/**
 * A part of an event that is stored beside the log. The event has a preview in its place: the
 * beginning and the end of a text, an empty string for base64, the first members of a list or object.
 */
export const Attachment = z.object({
  /** JSON Pointer (RFC 6901) into the event's `data`. */
  path: z.string(),
  digest: AttachmentDigest,
  /** Bytes of the stored payload. */
  size: z.int().nonnegative(),
  media_type: z.string(),
  /** How the payload becomes the value. text: a string of UTF-8; base64: a string of encoded bytes; json: any value. */
  encoding: z.enum(["text", "base64", "json"]),
});
export type Attachment = z.infer<typeof Attachment>;
