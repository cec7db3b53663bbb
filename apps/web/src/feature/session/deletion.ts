import { createStore, detach } from "@turnwire/base";
import type { TurnwireClient } from "@turnwire/client";
import type { WorktreeChoice } from "@turnwire/protocol";
import { showError, showToast } from "../../element/toast.ts";
import { useStore } from "../../element/use-store.ts";
import { titleOf, type NamedSession } from "./session-title.ts";

/** How long a deletion can be undone. */
const UNDO_MS = 8_000;

/** Where work was kept takes longer to read. */
const REMOVAL_MS = 15_000;

const deleting = createStore<ReadonlySet<string>>(new Set());

function show(sessionId: string): void {
  deleting.set(new Set([...deleting.get()].filter((id) => id !== sessionId)));
}

/** A session that is to be deleted once the person has decided about its worktree. */
export interface AskedDeletion {
  readonly session: NamedSession;
  /** Leaves the session's page; the result leads back to it. */
  readonly leave: () => () => void;
}

export const askedDeletion = createStore<AskedDeletion | undefined>(undefined);

interface DeletionOptions {
  readonly onUndo: () => void;
  readonly worktree?: WorktreeChoice;
}

/**
 * Hides a session now and deletes it when the time to undo has passed.
 * A window that is closed before that deletes nothing: a session is never lost by accident.
 */
export function deleteWithUndo(
  client: TurnwireClient,
  session: NamedSession,
  { onUndo, worktree }: DeletionOptions,
): void {
  const { session_id: id } = session;
  deleting.set(new Set([...deleting.get(), id]));
  showToast(`Deleted “${titleOf(session)}”`, {
    lifeMs: UNDO_MS,
    action: {
      label: "Undo",
      run: () => {
        show(id);
        onUndo();
      },
    },
    onEnd: () =>
      detach(remove(client, id, worktree), (error) => {
        show(id);
        showError(error);
      }),
  });
}

/** What was done with its worktree is worth saying: work may have been kept. */
async function remove(
  client: TurnwireClient,
  id: string,
  worktree: WorktreeChoice | undefined,
): Promise<void> {
  const removal = await client.sessions.delete(id, { ...(worktree && { worktree }) });
  if (removal) showToast(removal.message.replaceAll("`", ""), { lifeMs: REMOVAL_MS });
}

/** The sessions that are about to be deleted. */
export function useDeleting(): ReadonlySet<string> {
  return useStore(deleting);
}
