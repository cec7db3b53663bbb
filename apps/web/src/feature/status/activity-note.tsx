import { useActivity, useTurn } from "@turnwire/react";
import style from "./activity-note.module.css";
import { elapsedText } from "../../element/figure.ts";
import { useSecond } from "../../element/use-now.ts";

/** What the agent is doing, and how long the turn has run. */
export function ActivityNote() {
  const activity = useActivity();
  const { turn, isCancelling } = useTurn();
  const isShown = activity.kind !== "idle";
  const now = useSecond(turn !== null);
  const label = isCancelling ? "Stopping…" : activity.label;
  return (
    <div className={`row gap-3 grow shrink ${style.activity}`} data-kind={activity.kind}>
      <span role="status">{isShown && <Label text={label} />}</span>
      {isShown && turn && (
        <span className="rigid numbers faint" aria-hidden="true">
          {elapsedText(now - Date.parse(turn.started_at))}
        </span>
      )}
    </div>
  );
}

const RUNNING = "Running ";

/** Sets the command apart from the words around it. */
function Label({ text }: { readonly text: string }) {
  if (!text.startsWith(RUNNING)) return <span className={`cut ${style.label}`}>{text}</span>;
  return (
    <span className={`cut ${style.label}`} title={text}>
      {RUNNING}
      <code>{text.slice(RUNNING.length)}</code>
    </span>
  );
}
