/** What the address says to show. */
export type Route =
  | { readonly type: "home" }
  | { readonly type: "session"; readonly sessionId: string }
  | { readonly type: "past" }
  | { readonly type: "unknown" };

/** The ids that the server gives out or takes; anything else names no session. */
const SESSION_ID = /^[\w-]+$/;

/** root: where the app lies, with a slash at its end. */
export function routeFrom(root: string, address: string): Route {
  const rootPath = new URL(root).pathname;
  const { pathname } = new URL(address);
  const [place, id, ...rest] = pathname.slice(rootPath.length).split("/").filter(Boolean);
  if (place === undefined) return { type: "home" };
  if (place === "import" && id === undefined) return { type: "past" };
  const isSession = place === "s" && id !== undefined && rest.length === 0 && SESSION_ID.test(id);
  return isSession ? { type: "session", sessionId: id } : { type: "unknown" };
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
