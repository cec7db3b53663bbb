import { Icon } from "../icon/icon.tsx";
import style from "./stop-button.module.css";

interface StopButtonProps {
  /** What runs: "Running npm test". */
  readonly activity: string;
  readonly isCancelling: boolean;
  /** Escape was pressed once. */
  readonly isAsked: boolean;
  readonly stop: () => void;
}

/** Stops the turn, and says what that ends. */
export function StopButton({ activity, isCancelling, isAsked, stop }: StopButtonProps) {
  const label = isCancelling ? "Stopping…" : `Stop: ${activity}`;
  const words = isAsked ? "Esc again" : "Stop";
  return (
    <button
      type="button"
      className={style.stop}
      aria-label={label}
      aria-keyshortcuts="Control+."
      title={isCancelling ? label : `${label} (Esc Esc or Ctrl .)`}
      disabled={isCancelling}
      onClick={stop}
    >
      <Icon name="stop" size={14} />
      <span>{isCancelling ? "Stopping…" : words}</span>
    </button>
  );
}
