import type { Attachment } from "@turnwire/protocol";
import { useSession } from "@turnwire/react";
import { useEffect, useState } from "react";
import { sizeText } from "../../element/figure.ts";
import style from "./image-view.module.css";
import { LargeImage } from "./large-image.tsx";

interface StoredImageProps {
  readonly attachment: Attachment;
  readonly label: string;
}

/** An image that is stored as an attachment; loaded when it is shown. */
export function StoredImage({ attachment, label }: StoredImageProps) {
  const session = useSession();
  const { digest, media_type, size } = attachment;
  const [url, setUrl] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    let made: string | undefined;
    session.attachment(digest, { signal: abort.signal }).then(
      (bytes) => {
        if (abort.signal.aborted) return;
        made = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type: media_type }));
        setUrl(made);
      },
      () => setFailed(!abort.signal.aborted),
    );
    return () => {
      abort.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [session, digest, media_type]);
  if (url !== undefined) {
    return (
      <LargeImage url={url} label={label}>
        <img className={`frame ${style.image}`} src={url} alt={label} decoding="async" />
      </LargeImage>
    );
  }
  return (
    <p role="status">
      {hasFailed ? `${label} could not be loaded.` : `Loading ${label} (${sizeText(size)})…`}
    </p>
  );
}
