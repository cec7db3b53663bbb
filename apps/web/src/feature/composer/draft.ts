const PREFIX = "turnwire.draft.";

/** What was written in a session and not sent yet. */
export function loadDraft(
  sessionId: string,
  storage: Pick<Storage, "getItem"> = localStorage,
): string {
  return storage.getItem(PREFIX + sessionId) ?? "";
}

/** Keeps it for the next visit; an empty one is forgotten. */
export function saveDraft(
  { sessionId, text }: { readonly sessionId: string; readonly text: string },
  storage: Pick<Storage, "setItem" | "removeItem"> = localStorage,
): void {
  if (text === "") {
    storage.removeItem(PREFIX + sessionId);
    return;
  }
  try {
    storage.setItem(PREFIX + sessionId, text);
  } catch {
    // A full storage only means that this draft does not outlive the page.
    storage.removeItem(PREFIX + sessionId);
  }
}
