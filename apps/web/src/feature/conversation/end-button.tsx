import { Icon } from "../../element/icon.tsx";
import style from "./end-button.module.css";

interface EndButtonProps {
  /** How many rows are new. */
  readonly unseen: number;
  readonly onClick: () => void;
}

/** Scrolls back to the newest message. */
export function EndButton({ unseen, onClick }: EndButtonProps) {
  return (
    <button
      type="button"
      className={`inline-row gap-2 small numbers soft ${style.button}`}
      aria-label={
        unseen > 0 ? `Go to the newest message, ${unseen} new` : "Go to the newest message"
      }
      onClick={onClick}
    >
      <Icon name="arrow_down" size={16} />
      {unseen > 0 && <span>{unseen} new</span>}
    </button>
  );
}
