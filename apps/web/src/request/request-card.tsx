import type { RequestProgress } from "@turnwire/client";
import type { ReactNode } from "react";
import style from "./request-card.module.css";

interface RequestCardProps {
  readonly title: ReactNode;
  readonly progress: RequestProgress;
  /** What was asked. */
  readonly children: ReactNode;
  /** The ways to answer; shown while it is open. */
  readonly actions: ReactNode;
  /** How it ended, in words; the outcome where missing. */
  readonly ending?: ReactNode;
}

/** The frame of everything that waits for a person, open or ended. */
export function RequestCard({ title, progress, children, actions, ending }: RequestCardProps) {
  const isOpen = progress.status === "requested" || progress.status === "responding";
  return (
    <section className={style.card} data-open={isOpen} aria-label="Request">
      <h2>{title}</h2>
      {children}
      {isOpen ? (
        <div className={style.actions}>{actions}</div>
      ) : (
        <p className={style.ending}>{ending ?? endingOf(progress)}</p>
      )}
      {progress.error && <p role="alert">{progress.error.message}</p>}
    </section>
  );
}

function endingOf({ status, outcome }: RequestProgress): string {
  if (status === "conflict") return "Somebody else answered first";
  switch (outcome ?? "answered") {
    case "answered":
      return "Answered";
    case "cancelled":
      return "Cancelled: the turn ended";
    case "expired":
      return "Expired: nobody answered in time";
    case "orphaned":
      return "The agent that asked is gone";
  }
}
