import {
  rejected,
  type Result,
  type WorktreeInfo,
  type WorktreeList,
  type WorktreeRemoval,
} from "@turnwire/protocol";
import type { Principal } from "../principal.ts";

/** The git worktrees that were made for sessions. */
export class Worktrees {
  /** Those that a principal's sessions work in; for admins all, also those that were kept. */
  async list(_principal: Principal): Promise<WorktreeList> {
    return { worktrees: [] };
  }

  async ofSession(_sessionId: string): Promise<Result<WorktreeInfo>> {
    return rejected("not_found", "This session has no worktree of its own.");
  }

  /** Removes one that no session works in, as far as nothing is lost; with `isDiscarding`, wholly. */
  async remove(_worktreeId: string, _isDiscarding: boolean): Promise<Result<WorktreeRemoval>> {
    return rejected("not_found", "There is no such worktree.");
  }
}
