import type { TurnwireClient } from "@turnwire/client";
import { useSyncExternalStore } from "react";
import { detach } from "../../element/detach.ts";
import { showError, showToast } from "../../element/toast.ts";
import { titleOf, type NamedSession } from "./session-title.ts";

/** How long a deletion can be taken back. */
const UNDO_MS = 8_000;

let deleting: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function change(next: ReadonlySet<string>): void {
  deleting = next;
  for (const listener of listeners) listener();
}

function show(sessionId: string): void {
  change(new Set([...deleting].filter((id) => id !== sessionId)));
}

/**
 * Hides a session now and deletes it when the time to undo has passed.
 * A window that is closed before that deletes nothing: a session is never lost by accident.
 */
export function deleteWithUndo(client: TurnwireClient, session: NamedSession): void {
  const { session_id: id } = session;
  change(new Set([...deleting, id]));
  showToast(`Deleted “${titleOf(session)}”`, {
    lifeMs: UNDO_MS,
    action: { label: "Undo", run: () => show(id) },
    onEnd: () =>
      detach(client.sessions.delete(id), (error) => {
        show(id);
        showError(error);
      }),
  });
}

/** The sessions that are about to be deleted. */
export function useDeleting(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => deleting,
  );
}
