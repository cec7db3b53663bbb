import type { ReactNode } from "react";
import { IconButton } from "../../element/icon-button.tsx";
import { useFrame } from "./frame-context.ts";
import style from "./header.module.css";
import { usePane } from "./pane.ts";

interface HeaderProps {
  readonly title: ReactNode;
  /** Details below or next to the title. */
  readonly detail?: ReactNode;
  /** Buttons at the end. */
  readonly children?: ReactNode;
}

/** The top of every page; on small screens it opens the list of sessions. */
export function Header({ title, detail, children }: HeaderProps) {
  const { openSidebar, isSidebarHidden, sidebarButton } = useFrame();
  const { onClose, isBeside } = usePane();
  return (
    <header className={`row gap-3 rigid ${style.header}`}>
      {!isBeside && (
        <IconButton
          icon="menu"
          label="Show sessions"
          className={isSidebarHidden ? undefined : style.menu}
          onClick={openSidebar}
          ref={sidebarButton}
        />
      )}
      <div className={`line gap-3 grow shrink ${style.text}`}>
        <div className={`cut strong ${style.title}`}>{title}</div>
        {detail !== undefined && (
          <div className={`rigid cut small faint ${style.detail}`}>{detail}</div>
        )}
      </div>
      <div className="row gap-1 rigid">
        {children}
        {onClose && <IconButton icon="close" label="Close this pane" onClick={onClose} />}
      </div>
    </header>
  );
}
