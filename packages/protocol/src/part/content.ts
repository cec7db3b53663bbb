import * as z from "zod";

/** Image types that every runtime accepts. SVG is left out on purpose: it is a program. */
export const ImageMediaType = z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]);
export type ImageMediaType = z.infer<typeof ImageMediaType>;

export const DocumentMediaType = z.enum(["application/pdf", "text/plain"]);
export type DocumentMediaType = z.infer<typeof DocumentMediaType>;

const base64 = z.literal("base64").describe("Always `base64`.");
const bytes = z.base64().describe("The bytes in base64.");

const TextContent = z
  .object({
    type: z.literal("text").describe("Always `text`."),
    text: z.string().describe("The text."),
  })
  .describe("Text.");

const ImageContent = z
  .object({
    type: z.literal("image").describe("Always `image`."),
    source: z
      .object({
        type: base64,
        media_type: ImageMediaType.describe("The image's type."),
        data: bytes,
      })
      .describe("The image."),
  })
  .describe("An image, where `capabilities.images` is true.");

const DocumentContent = z
  .object({
    type: z.literal("document").describe("Always `document`."),
    title: z.string().optional().describe("The document's name."),
    source: z
      .object({
        type: base64,
        media_type: DocumentMediaType.describe("The document's type."),
        data: bytes,
      })
      .describe("The document."),
  })
  .describe("A document, where `capabilities.documents` is true.");

/** One piece of what a person says to an agent. */
export const ContentBlock = z
  .discriminatedUnion("type", [TextContent, ImageContent, DocumentContent])
  .meta({ id: "ContentBlock" });
export type ContentBlock = z.infer<typeof ContentBlock>;
