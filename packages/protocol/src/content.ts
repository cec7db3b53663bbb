import * as z from "zod";

/** Image types that every runtime accepts. SVG is left out on purpose: it is a program. */
export const ImageMediaType = z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]);
export type ImageMediaType = z.infer<typeof ImageMediaType>;

export const DocumentMediaType = z.enum(["application/pdf", "text/plain"]);
export type DocumentMediaType = z.infer<typeof DocumentMediaType>;

const TextContent = z.object({ type: z.literal("text"), text: z.string() });

const ImageContent = z.object({
  type: z.literal("image"),
  source: z.object({ type: z.literal("base64"), media_type: ImageMediaType, data: z.base64() }),
});

const DocumentContent = z.object({
  type: z.literal("document"),
  title: z.string().optional(),
  source: z.object({ type: z.literal("base64"), media_type: DocumentMediaType, data: z.base64() }),
});

/** One piece of what a person says to an agent. */
export const ContentBlock = z.discriminatedUnion("type", [
  TextContent,
  ImageContent,
  DocumentContent,
]);
export type ContentBlock = z.infer<typeof ContentBlock>;
