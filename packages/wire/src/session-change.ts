import type { Owned, SessionInfo } from "@turnwire/protocol";

/** A session as lists show it has become another or is gone, or projects have changed. */
export type SessionChange =
  | { readonly type: "projects" }
  | { readonly type: "changed"; readonly owner: string; readonly info: SessionInfo }
  | { readonly type: "removed"; readonly owner: string; readonly sessionId: string };

/** The session that a change is about. */
export function changedSession(
  change: Exclude<SessionChange, { readonly type: "projects" }>,
): Owned {
  const id = change.type === "changed" ? change.info.session_id : change.sessionId;
  return { id, owner: change.owner };
}

export interface ChangeListener {
  onChange(change: SessionChange): void;
  /** Changes may have been missed: read the list again. */
  onMissed(): void;
  /** This process lets go of all sessions: come back later. */
  onEnd(): void;
}
