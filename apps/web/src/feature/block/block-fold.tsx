import type { ReactNode } from "react";
import { Icon } from "../../element/icon.tsx";
import style from "./block-fold.module.css";
import { useFold } from "./fold-memory.ts";

interface BlockFoldProps {
  /** Unique in the conversation. */
  readonly id: string;
  readonly summary: ReactNode;
  /** Exists only while it is open. */
  readonly children: ReactNode;
  readonly isOpenAtFirst?: boolean;
  /** With a vertical line beside its content. */
  readonly isNested?: boolean;
}

/** One line of a conversation that opens to show the rest, and remembers whether it is open. */
export function BlockFold(props: BlockFoldProps) {
  const { id, summary, children, isOpenAtFirst = false, isNested = false } = props;
  const [isOpen, setOpen] = useFold(id, isOpenAtFirst);
  return (
    <div className="shrink">
      <button
        type="button"
        className={`row gap-2 small soft ${style.summary}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {summary}
        <span className={`rigid faint ${style.chevron}`}>
          <Icon name="chevron_right" size={14} />
        </span>
      </button>
      {isOpen && (
        <div className={style.body} data-nested={isNested}>
          {children}
        </div>
      )}
    </div>
  );
}
