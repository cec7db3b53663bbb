import { type ReactNode, useState } from "react";
import { Dialog } from "../../element/dialog.tsx";
import style from "./large-image.module.css";

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
