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
    <header className={style.header}>
      {!isBeside && (
        <IconButton
          icon="menu"
          label="Show sessions"
          className={isSidebarHidden ? undefined : style.menu}
          onClick={openSidebar}
          ref={sidebarButton}
        />
      )}
      <div className={style.text}>
        <div className={style.title}>{title}</div>
        {detail !== undefined && <div className={style.detail}>{detail}</div>}
      </div>
      <div className={style.actions}>
        {children}
        {onClose && <IconButton icon="close" label="Close this pane" onClick={onClose} />}
      </div>
    </header>
  );
}
