const PREFIX = "turnwire.draft.";

/** The draft of the first message of a session that does not exist yet; no session has such an id. */
export const newSessionDraft = "new session";

/** What was written in a session and not sent yet. */
export function loadDraft(id: string, storage: Pick<Storage, "getItem"> = localStorage): string {
  return storage.getItem(PREFIX + id) ?? "";
}

/** Keeps it for the next visit; an empty one is forgotten. */
export function saveDraft(
  { id, text }: { readonly id: string; readonly text: string },
  storage: Pick<Storage, "setItem" | "removeItem"> = localStorage,
): void {
  if (text === "") {
    storage.removeItem(PREFIX + id);
    return;
  }
  try {
    storage.setItem(PREFIX + id, text);
  } catch {
    // A full storage only means that this draft does not outlive the page.
    storage.removeItem(PREFIX + id);
  }
}
