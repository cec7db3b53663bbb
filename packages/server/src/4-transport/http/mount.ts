import type { IncomingMessage } from "node:http";
import { TransportError } from "./transport-error.ts";

/** A request as frameworks pass it on: what is mounted gets a shortened `url`, the whole is kept beside it. */
export type MountedRequest = Pick<IncomingMessage, "url"> & { readonly originalUrl?: string };

const PATH = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** Where a server is mounted, without a slash at its end: empty at the root. */
export function mountPathFrom(given: string | undefined): string {
  const path = (given ?? "").replace(/\/+$/, "");
  if (path === "" || PATH.test(path)) return path;
  const message = `mountPath must be a path such as /agents, not ${JSON.stringify(given)}`;
  throw new TransportError("invalid_mount_path", message);
}

/** The URL of a request below a mount path, as if the server were at the root; undefined elsewhere. */
export function urlUnder(mountPath: string, request: MountedRequest): string | undefined {
  const { url = "/", originalUrl } = request;
  if (mountPath === "") return url;
  const whole = originalUrl ?? url;
  // Frameworks mount without regard to case, and shorten the path of such a request too.
  if (!startsWith(whole, mountPath)) return undefined;
  const rest = whole.slice(mountPath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : undefined;
}

/** Whether a request names the mount itself without the slash that pages below it need. */
export function lacksSlash(mountPath: string, request: MountedRequest): boolean {
  const whole = request.originalUrl ?? request.url ?? "/";
  if (mountPath === "" || !startsWith(whole, mountPath)) return false;
  return whole.length === mountPath.length || whole[mountPath.length] === "?";
}

function startsWith(path: string, start: string): boolean {
  return path.slice(0, start.length).toLowerCase() === start.toLowerCase();
}
