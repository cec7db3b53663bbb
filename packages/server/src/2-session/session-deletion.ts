import type { Logger } from "@turnwire/base";
import { accepted, type Result, type WorktreeRemoval } from "@turnwire/protocol";
import { StoreError } from "@turnwire/log";
import type { ChangeFeed } from "./change-feed.ts";
import { unknownSession } from "./host-rejection.ts";
import type { Principal } from "./principal.ts";
import type { ReadOnlySessions } from "./read-only-sessions.ts";
import type { Session } from "./session.ts";

export interface DeletionContext {
  readonly principal: Principal;
  readonly open: (sessionId: string, principal: Principal) => Promise<Result<Session>>;
  readonly readOnly: ReadOnlySessions;
  readonly changes: ChangeFeed;
  readonly logger: Logger;
}

/** Ends a session for good; answers with what was done with its worktree, where it had one. */
export async function deleteSession(
  sessionId: string,
  context: DeletionContext,
): Promise<Result<WorktreeRemoval | undefined>> {
  const { principal, changes, logger } = context;
  for (;;) {
    const opened = await openToDelete(sessionId, context);
    if (!opened) return accepted(undefined);
    if (!opened.ok) return opened;
    const session = opened.value;
    // Its end had begun already: it is loaded again, unless that end was a delete.
    if (!(await session.end({ type: "delete", by: principal.id }))) continue;
    changes.removed(session);
    logger.info({ session: sessionId }, "session deleted");
    return accepted(undefined);
  }
}

/** Undefined when it was damaged, and so is gone already: nothing of it had to be read. */
async function openToDelete(
  sessionId: string,
  { principal, open, readOnly, changes }: DeletionContext,
): Promise<Result<Session> | undefined> {
  try {
    return await open(sessionId, principal);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    const removed = await readOnly.remove(sessionId, principal);
    if (!removed) return unknownSession(sessionId);
    changes.removed(removed);
    return undefined;
  }
}
