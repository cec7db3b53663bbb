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
    <div className={`panel stack gap-3 small ${style.frame}`} role="group" aria-label={title}>
      {(title !== undefined || note !== undefined) && (
        <header className="line gap-3 spread">
          <p className="strong" dir="auto">
            {title}
          </p>
          {note !== undefined && (
            <span className="tiny numbers faint" dir="ltr">
              {note}
            </span>
          )}
        </header>
      )}
      {children}
      {actions !== undefined && <div className="flow gap-2">{actions}</div>}
    </div>
  );
}
