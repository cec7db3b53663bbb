import type { Logger } from "@turnwire/base";
import {
  accepted,
  type Result,
  type WorktreeChoice,
  type WorktreeRemoval,
  type Principal,
} from "@turnwire/protocol";
import { StoreError } from "@turnwire/log";
import { FollowedSession } from "./remote/followed-session.ts";
import { unknownSession } from "../2-session/port/host-rejection.ts";
import type { ReadOnlySessions, RemovedSession } from "./read-only/read-only-sessions.ts";
import type { Session } from "../2-session/session.ts";
import type { Worktrees } from "@turnwire/workspace";

export interface DeletionContext {
  readonly principal: Principal;
  /** What to do with the session's worktree. */
  readonly choice: WorktreeChoice;
  readonly worktrees: Worktrees;
  readonly open: (
    sessionId: string,
    principal: Principal,
  ) => Promise<Result<Session | FollowedSession>>;
  readonly readOnly: ReadOnlySessions;
  readonly logger: Logger;
}

/** Ends a session for good, wherever it runs; answers with what was done with its worktree, where it had one. */
export async function deleteSession(
  sessionId: string,
  context: DeletionContext,
): Promise<Result<WorktreeRemoval | undefined>> {
  const removed = await removeSession(sessionId, context);
  if (!removed.ok) return removed;
  if (removed.value instanceof FollowedSession) {
    return removed.value.delete(context.choice, context.principal);
  }
  const { worktree, owner } = removed.value;
  context.logger.info({ session: sessionId }, "session deleted");
  // Only now: its agent is gone, and a crash from here on is completed at the next start.
  return accepted(worktree && (await context.worktrees.release(worktree, context.choice, owner)));
}

async function removeSession(
  sessionId: string,
  { principal, open, readOnly }: DeletionContext,
): Promise<Result<RemovedSession | FollowedSession>> {
  for (;;) {
    const opened = await openOrRemove(sessionId, { principal, open, readOnly });
    if (!opened.ok) return opened;
    if (opened.value instanceof FollowedSession) return accepted(opened.value);
    const { id, owner } = opened.value;
    if (!("end" in opened.value)) return accepted(opened.value);
    const { worktree } = opened.value.control.session;
    // Its end had begun already: it is loaded again, unless that end was a delete.
    if (!(await opened.value.end({ type: "delete", by: principal.id }))) continue;
    return accepted({ id, owner, ...(worktree && { worktree }) });
  }
}

/** One that is damaged is removed at once: nothing of it has to be read for that. */
async function openOrRemove(
  sessionId: string,
  { principal, open, readOnly }: Pick<DeletionContext, "principal" | "open" | "readOnly">,
): Promise<Result<Session | FollowedSession | RemovedSession>> {
  try {
    return await open(sessionId, principal);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    const removed = await readOnly.remove(sessionId, principal);
    return removed ? accepted(removed) : unknownSession(sessionId);
  }
}
