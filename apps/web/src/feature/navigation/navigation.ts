import { useSyncExternalStore } from "react";
import { hrefOf, routeFrom, routeToSession, type Route } from "./route.ts";

/** Where the app lies, with a slash at its end; told by the page, so that any path does. */
export const appRoot = new URL(".", document.baseURI).href;

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("popstate", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("popstate", listener);
  };
}

/** Goes there without loading the page anew. */
export function navigate(route: Route, options: { readonly isReplacing?: boolean } = {}): void {
  const href = hrefOf(appRoot, route);
  if (href === location.href) return;
  if (options.isReplacing) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  for (const listener of listeners) listener();
}

/** Goes to a session that was picked; the one beside stays. */
export function showSession(sessionId: string): void {
  navigate(routeToSession(currentRoute(), sessionId));
}

/** What the address says now. */
export function currentRoute(): Route {
  return routeFrom(appRoot, location.href);
}

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.href);
  return routeFrom(appRoot, address);
}
