/** A route's path as the router writes it: `/sessions/{session_id}` is `/sessions/:session_id` there. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ":$1");
}

/** The parameters of a path that fits a route's path; undefined when it does not. */
export function matchPath(route: string, path: string): Record<string, string> | undefined {
  const wanted = route.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    const [, name] = /^\{([a-z_]+)\}$/.exec(segment) ?? [];
    if (name !== undefined && value !== "") params[name] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}
