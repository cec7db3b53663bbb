import type { ReactNode } from "react";
import style from "./component-frame.module.css";

interface ComponentFrameProps {
  readonly title?: string | undefined;
  /** Details at the end of the title's line. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
  /** Buttons below. */
  readonly actions?: ReactNode;
}

/** The frame of every built-in component. */
export function ComponentFrame({ title, note, children, actions }: ComponentFrameProps) {
  return (
    <div className={style.frame} role="group" aria-label={title}>
      {(title !== undefined || note !== undefined) && (
        <header className={style.head}>
          <p className={style.title} dir="auto">
            {title}
          </p>
          {note !== undefined && (
            <span className={style.note} dir="ltr">
              {note}
            </span>
          )}
        </header>
      )}
      {children}
      {actions !== undefined && <div className={style.actions}>{actions}</div>}
    </div>
  );
}
