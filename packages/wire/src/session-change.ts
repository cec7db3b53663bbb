import type { SessionInfo } from "@turnwire/protocol";

/** A session as lists show it has become another or is gone, or projects have changed. */
export type SessionChange =
  | { readonly type: "projects" }
  | { readonly type: "changed"; readonly owner: string; readonly info: SessionInfo }
  | { readonly type: "removed"; readonly owner: string; readonly sessionId: string };

export interface ChangeListener {
  onChange(change: SessionChange): void;
  /** Changes may have been missed: read the list again. */
  onMissed(): void;
  /** This process lets go of all sessions: come back later. */
  onEnd(): void;
}
