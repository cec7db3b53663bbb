import { isObject } from "@turnwire/base";
import { ImageMediaType, type JsonValue } from "@turnwire/protocol";

export interface OutputImage {
  readonly mediaType: ImageMediaType;
  /** In base64; empty if it is stored as an attachment. */
  readonly data: string;
  /** Where in the output it is. */
  readonly path: string;
}

export interface ToolOutput {
  readonly text: string;
  readonly images: readonly OutputImage[];
}

/** The output of a tool: its images, and everything else as text. */
export function toolOutput(output: JsonValue | undefined): ToolOutput {
  if (output === undefined || output === null) return { text: "", images: [] };
  const parts = Array.isArray(output) ? output : [output];
  const images = parts.flatMap((part, index) => {
    const image = imageFrom(part);
    return image
      ? [{ ...image, path: Array.isArray(output) ? `/output/${index}` : "/output" }]
      : [];
  });
  const texts = parts.filter((part) => !imageFrom(part)).map(textFrom);
  return { text: texts.join("\n"), images };
}

function textFrom(part: JsonValue): string {
  if (typeof part === "string") return part;
  const text = isObject(part) ? part["text"] : undefined;
  return typeof text === "string" ? text : JSON.stringify(part, null, 2);
}

/** Images as Claude and MCP servers send them: with a source, or with the data in the part itself. */
function imageFrom(part: JsonValue): Omit<OutputImage, "path"> | undefined {
  if (!isObject(part) || part["type"] !== "image") return undefined;
  const source = part["source"] ?? part;
  if (typeof source !== "object" || source === null || Array.isArray(source)) return undefined;
  const mediaType = ImageMediaType.safeParse(source["media_type"] ?? source["mimeType"]);
  const data = source["data"];
  return mediaType.success && typeof data === "string"
    ? { mediaType: mediaType.data, data }
    : undefined;
}
