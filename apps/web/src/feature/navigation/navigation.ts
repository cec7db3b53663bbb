import { createStore } from "@turnwire/base";
import { useStore } from "../../element/use-store.ts";
import { hrefOf, routeFrom, routeToSession, type Route } from "./route.ts";

/** The address of the app, with a slash at its end; taken from the page, so that the app works under any path. */
export const appRoot = new URL(".", document.baseURI).href;

const address = createStore(location.href);
addEventListener("popstate", () => address.set(location.href));

/** Goes there without reloading the page. */
export function navigate(route: Route, options: { readonly isReplacing?: boolean } = {}): void {
  const href = hrefOf(appRoot, route);
  if (href === location.href) return;
  if (options.isReplacing) history.replaceState(null, "", href);
  else history.pushState(null, "", href);
  address.set(location.href);
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
  return routeFrom(appRoot, useStore(address));
}
