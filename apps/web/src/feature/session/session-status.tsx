import type { SessionInfo } from "@turnwire/protocol";
import style from "./session-status.module.css";

type Status = "working" | "waiting" | "idle" | "hibernated" | "archived";

const labels: Readonly<Record<Status, string>> = {
  working: "Working",
  waiting: "Waiting for you",
  idle: "Idle",
  hibernated: "Hibernated",
  archived: "Archived",
};

function statusOf({ status, activity }: Pick<SessionInfo, "status" | "activity">): Status {
  if (status === "archived") return "archived";
  if (activity !== "idle") return activity;
  return status === "hibernated" ? "hibernated" : "idle";
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
      className={style.dot}
      data-status={status}
      role="img"
      aria-label={labels[status]}
      title={labels[status]}
    />
  );
}
