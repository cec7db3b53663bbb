import { useMemo, useState } from "react";

export interface Dismissal {
  /** Something is there, but all of it was put away. */
  readonly isPutAway: boolean;
  readonly putAway: () => void;
  readonly bringBack: () => void;
}

/** A place that a person can close: it opens again by itself when something new comes. */
export function useDismissal(ids: readonly string[]): Dismissal {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const isPutAway = ids.length > 0 && ids.every((id) => dismissed.has(id));
  return useMemo(
    () => ({
      isPutAway,
      putAway: () => setDismissed(new Set(ids)),
      bringBack: () => setDismissed(new Set()),
    }),
    [ids, isPutAway],
  );
}
