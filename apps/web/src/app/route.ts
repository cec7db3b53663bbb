import { useSyncExternalStore } from "react";

/** What the address says to show. */
export type Route =
  | { readonly type: "home" }
  | { readonly type: "session"; readonly sessionId: string }
  | { readonly type: "past" }
  | { readonly type: "unknown" };

/** Where the app lies, with a slash at its end; told by the page, so that any path does. */
export const appRoot = rootFrom(document.baseURI);

function rootFrom(baseUri: string): string {
  return new URL(".", baseUri).href;
}

export function routeFrom(root: string, address: string): Route {
  const rootPath = new URL(root).pathname;
  const { pathname } = new URL(address);
  const parts = pathname.slice(rootPath.length).split("/").filter(Boolean);
  const [place, id, ...rest] = parts;
  if (place === undefined) return { type: "home" };
  if (place === "s" && id !== undefined && rest.length === 0) {
    return { type: "session", sessionId: decodeURIComponent(id) };
  }
  return place === "import" && id === undefined ? { type: "past" } : { type: "unknown" };
}

export function hrefOf(root: string, route: Route): string {
  switch (route.type) {
    case "session":
      return `${root}s/${encodeURIComponent(route.sessionId)}`;
    case "past":
      return `${root}import`;
    case "home":
    case "unknown":
      return root;
  }
}

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

export function useRoute(): Route {
  const address = useSyncExternalStore(subscribe, () => location.href);
  return routeFrom(appRoot, address);
}
