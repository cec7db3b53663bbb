import { useActivity, useConnection, useTurn } from "@turnwire/react";
import style from "./status-line.module.css";

/** What the agent does right now, and how the line to the server is. */
export function StatusLine() {
  const activity = useActivity();
  const { isCancelling } = useTurn();
  const connection = useConnection();
  const isBroken = connection.status === "waiting" || connection.status === "failed";
  const label = isCancelling ? "Stopping…" : activity.label;
  return (
    <div className={style.line} role="status" aria-live="polite">
      {isBroken ? (
        <span className={style.broken}>
          {connection.status === "failed" ? "Not connected" : "Connection lost, trying again…"}
        </span>
      ) : (
        activity.kind !== "idle" && (
          <span className={style.activity} data-kind={activity.kind}>
            {label}
          </span>
        )
      )}
    </div>
  );
}
