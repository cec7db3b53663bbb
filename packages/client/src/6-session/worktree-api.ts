import type { WorktreeInfo, WorktreeList, WorktreeRemoval } from "@turnwire/protocol";
import type { Http } from "../5-connection/http.ts";
import type { CallOptions } from "./session-api.ts";

/** The git worktrees that the server made for sessions. */
export interface WorktreeApi {
  list(options?: CallOptions): Promise<WorktreeList>;
  /** A session's worktree, and what it holds that would be lost without it. */
  ofSession(sessionId: string, options?: CallOptions): Promise<WorktreeInfo>;
  /** Removes one that no session works in, as far as nothing is lost; with `discard`, wholly. */
  remove(
    worktreeId: string,
    options?: CallOptions & { readonly discard?: boolean },
  ): Promise<WorktreeRemoval>;
}

export function createWorktreeApi(http: Http): WorktreeApi {
  const path = ["worktrees"];
  return {
    list: (call) => http.json({ method: "GET", path, ...call }),
    ofSession: (sessionId, call) =>
      http.json({ method: "GET", path: ["sessions", sessionId, "worktree"], ...call }),
    remove: (worktreeId, { discard, ...call } = {}) =>
      http.json({
        method: "DELETE",
        path: [...path, worktreeId],
        query: { discard: discard ? "true" : undefined },
        ...call,
      }),
  };
}
