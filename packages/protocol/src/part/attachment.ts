import * as z from "zod";

/** No event is larger than this, in bytes of its JSON: what is too large is stored beside the log. */
export const MAX_EVENT_BYTES = 256 * 1024;

/** The name of a stored payload: its SHA-256. */
export const AttachmentDigest = z.string().regex(/^sha256-[0-9a-f]{64}$/);

/**
 * A part of an event that is stored beside the log. The event has a preview in its place: the
 * beginning and the end of a text, an empty string for base64, the first members of a list or object.
 */
export const Attachment = z
  .object({
    path: z.string().describe("Where the value belongs: a JSON Pointer (RFC 6901) into `data`."),
    digest: AttachmentDigest.describe("The name of the stored bytes: `sha256-` and 64 hex digits."),
    size: z.int().nonnegative().describe("The number of stored bytes."),
    media_type: z.string().describe("What the bytes are."),
    encoding: z
      .enum(["text", "base64", "json"])
      .describe(
        "How the bytes become the value. `text`: a string, from UTF-8; `base64`: a string, the bytes in base64; `json`: any value, from JSON text.",
      ),
  })
  .meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;
