import type { ImageMediaType } from "@turnwire/protocol";
import type { ComponentProps } from "@turnwire/react";
import { ImageView } from "../../block/image-view.tsx";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./component-frame.module.css";
import { objectFrom, optionalTextFrom, textFrom } from "./property.ts";

export interface ProofProps {
  readonly title: string | undefined;
  readonly mediaType: ImageMediaType;
  /** In base64. */
  readonly data: string;
  /** What the image shows, in words. */
  readonly alt: string;
  readonly caption: string | undefined;
}

const mediaTypes: readonly ImageMediaType[] = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
];
const DATA_URL = /^data:([a-z]+\/[a-z]+);base64,([A-Za-z0-9+/]+={0,2})$/;

/** An image from elsewhere would let an agent see who looks at it, and a page may not load it. */
export function proofPropsFrom(value: unknown): ProofProps {
  const source = objectFrom(value);
  const [, type, data = ""] = DATA_URL.exec(textFrom(source, "src")) ?? [];
  const mediaType = mediaTypes.find((known) => known === type);
  if (!mediaType) {
    throw new Error(`src must be a data URL in base64 of ${mediaTypes.join(", ")}`);
  }
  const alt = textFrom(source, "alt");
  if (alt.trim() === "") throw new Error("alt must describe the image");
  return {
    title: optionalTextFrom(source, "title"),
    mediaType,
    data,
    alt,
    caption: optionalTextFrom(source, "caption"),
  };
}

/** An image that shows that something is so, such as a screenshot. */
export function Proof({ props }: ComponentProps<ProofProps>) {
  const { title, mediaType, data, alt, caption } = props;
  return (
    <ComponentFrame title={title}>
      <ImageView mediaType={mediaType} data={data} label={alt} />
      {caption !== undefined && (
        <p className={style.details} dir="auto">
          {caption}
        </p>
      )}
    </ComponentFrame>
  );
}
