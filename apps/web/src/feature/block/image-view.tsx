import type { ImageMediaType, Attachment } from "@turnwire/protocol";
import { useMemo, type ReactNode, useState, useEffect } from "react";
import { imageSize } from "./image-size.ts";
import style from "./image-view.module.css";
import { Dialog } from "../../element/dialog.tsx";
import { useSession } from "@turnwire/react";
import { sizeText } from "../../element/figure.ts";

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

interface LargeImageProps {
  readonly url: string;
  readonly label: string;
  /** The image in its place. */
  readonly children: ReactNode;
}

/** An image that opens large when it is pressed. */
export function LargeImage({ url, label, children }: LargeImageProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={`bare ${style.open}`}
        aria-label={`Open ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
        onClick={() => setOpen(true)}
      >
        {children}
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          <div className={style.scroll} tabIndex={0} role="region" aria-label={label}>
            <img className={style.large} src={url} alt={label} />
          </div>
        </Dialog>
      )}
    </>
  );
}

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
