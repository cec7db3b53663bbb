/** What an address shows. */
export type Route =
  /** projectId: where the new session begins. */
  | { readonly type: "home"; readonly projectId?: string }
  /** besideId: a second session in the same window. */
  | { readonly type: "session"; readonly sessionId: string; readonly besideId?: string }
  | { readonly type: "past" }
  | { readonly type: "unknown" };

/** The form of session ids. */
const SESSION_ID = /^[\w-]+$/;

/** root: the address of the app, with a slash at its end. */
export function routeFrom(root: string, address: string): Route {
  const rootPath = new URL(root).pathname;
  const { pathname, searchParams } = new URL(address);
  const [place, id, ...rest] = pathname.slice(rootPath.length).split("/").filter(Boolean);
  if (place === undefined) {
    const projectId = searchParams.get("project");
    return projectId === null ? { type: "home" } : { type: "home", projectId };
  }
  if (place === "import" && id === undefined) return { type: "past" };
  const isSession = place === "s" && id !== undefined && rest.length === 0 && SESSION_ID.test(id);
  if (!isSession) return { type: "unknown" };
  const beside = searchParams.get("beside");
  const hasBeside = beside !== null && beside !== id && SESSION_ID.test(beside);
  return { type: "session", sessionId: id, ...(hasBeside && { besideId: beside }) };
}

export function hrefOf(root: string, route: Route): string {
  switch (route.type) {
    case "session": {
      const address = `${root}s/${encodeURIComponent(route.sessionId)}`;
      const { besideId } = route;
      return besideId === undefined ? address : `${address}?beside=${encodeURIComponent(besideId)}`;
    }
    case "past":
      return `${root}import`;
    case "home":
      return route.projectId === undefined
        ? root
        : `${root}?project=${encodeURIComponent(route.projectId)}`;
    case "unknown":
      return root;
  }
}

/** The route to another session: it replaces the first one; if it is the second one already, the two swap. */
export function routeToSession(from: Route, sessionId: string): Route {
  if (from.type !== "session" || from.besideId === undefined) return { type: "session", sessionId };
  const besideId = from.besideId === sessionId ? from.sessionId : from.besideId;
  return { type: "session", sessionId, besideId };
}
