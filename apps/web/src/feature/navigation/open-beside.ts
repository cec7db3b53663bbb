import { currentRoute, navigate } from "./navigation.ts";
import type { Route } from "./route.ts";

/** True where a session can stand beside the one on show: the width is that of `frame.module.css`. */
export function canOpenBeside(route: Route, sessionId: string): boolean {
  if (route.type !== "session" || !matchMedia("(min-width: 70rem)").matches) return false;
  return route.sessionId !== sessionId && route.besideId !== sessionId;
}

/** Opens a session beside the one on show, else in its place. */
export function openBeside(sessionId: string): void {
  const route = currentRoute();
  if (route.type === "session" && canOpenBeside(route, sessionId)) {
    navigate({ ...route, besideId: sessionId });
  } else navigate({ type: "session", sessionId });
}
