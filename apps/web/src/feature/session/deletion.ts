import { createStore, detach } from "@turnwire/base";
import type { TurnwireClient } from "@turnwire/client";
import { showError, showToast } from "../../element/toast.ts";
import { useStore } from "../../element/use-store.ts";
import { titleOf, type NamedSession } from "./session-title.ts";

/** How long a deletion can be undone. */
const UNDO_MS = 8_000;

const deleting = createStore<ReadonlySet<string>>(new Set());

function show(sessionId: string): void {
  deleting.set(new Set([...deleting.get()].filter((id) => id !== sessionId)));
}

/**
 * Hides a session now and deletes it when the time to undo has passed.
 * A window that is closed before that deletes nothing: a session is never lost by accident.
 */
export function deleteWithUndo(
  client: TurnwireClient,
  session: NamedSession,
  onUndo: () => void,
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
      detach(client.sessions.delete(id), (error) => {
        show(id);
        showError(error);
      }),
  });
}

/** The sessions that are about to be deleted. */
export function useDeleting(): ReadonlySet<string> {
  return useStore(deleting);
}
