import type { ReactNode } from "react";
import { Icon } from "../icon/icon.tsx";
import style from "./fold.module.css";

interface FoldProps {
  readonly summary: ReactNode;
  readonly children: ReactNode;
  readonly isOpen?: boolean;
}

/** One line that opens to show the rest. */
export function Fold({ summary, children, isOpen = false }: FoldProps) {
  return (
    <details className={style.fold} open={isOpen}>
      <summary>
        <Icon name="chevron_right" size={14} />
        {summary}
      </summary>
      <div className={style.body}>{children}</div>
    </details>
  );
}
