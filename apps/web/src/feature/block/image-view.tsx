import type { ImageMediaType } from "@turnwire/protocol";
import { useMemo } from "react";
import { imageSize } from "./image-size.ts";
import { LargeImage } from "./large-image.tsx";
import style from "./image-view.module.css";

interface ImageViewProps {
  readonly mediaType: ImageMediaType;
  /** In base64. */
  readonly data: string;
  readonly label: string;
}

/** An image whose space is reserved before it is loaded. */
export function ImageView({ mediaType, data, label }: ImageViewProps) {
  const size = useMemo(() => imageSize(data), [data]);
  const url = `data:${mediaType};base64,${data}`;
  return (
    <LargeImage url={url} label={label}>
      <img className={`frame ${style.image}`} src={url} alt={label} decoding="async" {...size} />
    </LargeImage>
  );
}
