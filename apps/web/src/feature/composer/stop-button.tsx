import { Icon } from "../../element/icon.tsx";
import { ariaKeys, keyName } from "../../element/key-name.ts";
import style from "./stop-button.module.css";
import type { Stop } from "./use-stop.ts";

/** Stops the turn; its label names what is running. */
export function StopButton({ stop }: { readonly stop: Stop }) {
  const { activity, isCancelling, isAsked } = stop;
  const label = isCancelling ? "Stopping…" : `Stop: ${activity}`;
  const words = isAsked ? "Esc again" : "Stop";
  return (
    <button
      type="button"
      className={`inline-row gap-1 small medium ink ${style.stop}`}
      aria-label={label}
      aria-keyshortcuts={ariaKeys("Control+.")}
      title={isCancelling ? label : `${label} (Esc Esc or ${keyName("Ctrl .")})`}
      disabled={isCancelling}
      onClick={stop.stop}
    >
      <Icon name="stop" size={14} />
      <span>{isCancelling ? "Stopping…" : words}</span>
    </button>
  );
}
