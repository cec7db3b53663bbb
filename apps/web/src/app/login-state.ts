import { useSyncExternalStore } from "react";
import type { Fetch } from "@turnwire/client";

let isLoggedOut = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Fetches, and notes when the server does not know this browser: whatever asked, the login page is next. */
export const watchingFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init);
  if (response.status === 401 && !isLoggedOut) {
    isLoggedOut = true;
    for (const listener of listeners) listener();
  }
  return response;
};

export function useIsLoggedOut(): boolean {
  return useSyncExternalStore(subscribe, () => isLoggedOut);
}
