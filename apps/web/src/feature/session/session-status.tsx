import type { SessionInfo } from "@turnwire/protocol";
import style from "./session-status.module.css";

type Status = "working" | "waiting" | "idle" | "archived";

const labels: Readonly<Record<Status, string>> = {
  working: "Working",
  waiting: "Waiting for you",
  idle: "Idle",
  archived: "Archived",
};

function statusOf({ status, activity }: Pick<SessionInfo, "status" | "activity">): Status {
  if (status === "archived") return "archived";
  // Whether its process still lives is nothing that a person acts on.
  return activity;
}

/** The status of a session as a labelled dot. */
export function SessionStatusDot({
  session,
}: {
  readonly session: Pick<SessionInfo, "status" | "activity">;
}) {
  const status = statusOf(session);
  return (
    <span
      className={`dot ${style.dot}`}
      data-status={status}
      role="img"
      aria-label={labels[status]}
      title={labels[status]}
    />
  );
}
