import { useMemo, useState } from "react";

export interface Dismissal {
  /** Something is there that nobody put away. */
  readonly isShown: boolean;
  /** Something is there, but it was put away. */
  readonly isPutAway: boolean;
  readonly putAway: () => void;
  readonly bringBack: () => void;
}

/** A place that a person can close: it opens again by itself when something new comes. */
export function useDismissal(ids: readonly string[]): Dismissal {
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set());
  const isShown = ids.some((id) => !dismissed.has(id));
  return useMemo(
    () => ({
      isShown,
      isPutAway: !isShown && ids.length > 0,
      putAway: () => setDismissed(new Set(ids)),
      bringBack: () => setDismissed(new Set()),
    }),
    [ids, isShown],
  );
}
