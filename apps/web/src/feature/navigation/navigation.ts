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

/** Goes to a session; the second pane stays. */
export function showSession(sessionId: string): void {
  navigate(routeToSession(currentRoute(), sessionId));
}

/** The current route. */
export function currentRoute(): Route {
  return routeFrom(appRoot, location.href);
}

export function useRoute(): Route {
  return routeFrom(appRoot, useStore(address));
}

/** True if a session can open beside the current one: the width is that of `frame.module.css`. */
export function canOpenBeside(route: Route, sessionId: string): boolean {
  if (route.type !== "session" || !matchMedia("(min-width: 70rem)").matches) return false;
  return route.sessionId !== sessionId && route.besideId !== sessionId;
}

/** Opens a session beside the current one if possible, else instead of it. */
export function openBeside(sessionId: string): void {
  const route = currentRoute();
  if (route.type === "session" && canOpenBeside(route, sessionId)) {
    navigate({ ...route, besideId: sessionId });
  } else navigate({ type: "session", sessionId });
}
