import { useLayoutEffect, useRef, type ReactNode } from "react";
import { IconButton } from "./icon-button.tsx";
import style from "./dialog.module.css";
import { useOpenHold } from "./open-hold.ts";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly isTitleHidden?: boolean;
  readonly onClose: () => void;
}

/** A window over everything; Escape and a click outside close it. Open while it is mounted. */
export function Dialog({ title, children, isTitleHidden = false, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useOpenHold(true);
  // Closed while it is still in the page: then the focus returns to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={style.dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className={style.content}>
        {!isTitleHidden && (
          <header className={`row gap-3 spread ${style.header}`}>
            <h2>{title}</h2>
            <IconButton icon="close" label="Close" onClick={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
