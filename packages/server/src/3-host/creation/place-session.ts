import { rejected, type Result, type Principal } from "@turnwire/protocol";
import type { SessionRecord, Store } from "@turnwire/log";
import type { Worktrees } from "@turnwire/workspace";

export interface PlacementContext {
  readonly worktrees: Worktrees;
  readonly store: Store;
  readonly principal: Principal;
}

/**
 * Creates a session in the worktree that it asks for; nothing of that stays when it does not come to
 * be. Meanwhile the directory that it will work in is not removed.
 */
export async function placeSession<Created>(
  record: SessionRecord,
  { worktrees, store, principal }: PlacementContext,
  create: (placed: SessionRecord) => Promise<Result<Created>>,
): Promise<Result<Created>> {
  const release = worktrees.hold(record.cwd);
  if (!release) return rejected("invalid_request", `${record.cwd} is being removed.`);
  try {
    const { worktree: request } = record.options;
    // One whose id is taken is refused by the store, before anything is made for it.
    const isTaken = request !== undefined && (await store.getSession(record.sessionId));
    if (request === undefined || isTaken) return await create(record);
    const { sessionId, title, cwd } = record;
    const made = await worktrees.make({ sessionId, title, cwd, request, principal });
    if (!made.ok) return made;
    let created: Result<Created> | undefined;
    try {
      created = await create({ ...record, ...made.value });
      return created;
    } finally {
      await (created?.ok ? worktrees.adopt(made.value) : worktrees.undo(made.value));
    }
  } finally {
    release();
  }
}
