import { TransportError } from "../http/transport-error.ts";
import type { Clock } from "@turnwire/base";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Authenticator } from "../auth/auth.ts";
import type { Metrics } from "../http/metrics.ts";
import { openApiFrom } from "../http/openapi.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import {
  type Route,
  type SocketRoute,
  type Wire,
  type WireContext,
  type WireListener,
} from "@turnwire/wire";
import { isFromHere } from "../http/host-list.ts";
import { attachmentRoutes } from "./attachment.ts";
import { auditRoute } from "./audit.ts";
import { commandRoutes } from "./command.ts";
import { eventRoutes, streamSession } from "./events.ts";
import { hostRoute } from "./host.ts";
import { lifecycleRoutes } from "./lifecycle.ts";
import { loginRoutes } from "./login.ts";
import { welcomeRoute } from "./page.ts";
import { pathRoutes } from "./path.ts";
import { policyRoutes } from "./policy.ts";
import { projectRoutes } from "./project.ts";
import { searchRoute } from "./search.ts";
import { serviceRoutes } from "./service.ts";
import { sessionRoutes } from "./session.ts";
import { sessionSocketRoute } from "./socket.ts";
import { stateRoutes } from "./state.ts";
import { trustRoutes } from "./trust.ts";
import { tokenRoutes } from "./token.ts";
import { worktreeRoutes } from "./worktree.ts";
import { watchRoute, watchSocketRoute } from "./watch.ts";
import { createPages } from "../http/welcome-page.ts";

export interface RouteTableOptions {
  readonly host: SessionHost;
  readonly hub: ReaderHub;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly url: () => string | undefined;
  readonly authenticator: Authenticator;
  readonly version: string;
  readonly hasWebRoot: boolean;
  readonly cliOptions?: string;
  readonly wires: readonly Wire[];
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Every path the server answers on. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
  /** The ports that wires have for themselves. */
  readonly listeners: readonly WireListener[];
}

export function createRouteTable(options: RouteTableOptions): RouteTable {
  const { host, hub, metrics, version, wires } = options;
  const context: WireContext = {
    host,
    clock: options.clock,
    needsCredential: !options.authenticator.isOff,
    url: options.url,
    report: options.onError,
    framesOf: (session, format) => hub.open(session, format),
    isFromHere,
    stream: (call, stream) => streamSession(hub, call, stream),
  };
  const pages = createPages(options.cliOptions ?? "");
  const sockets = [
    sessionSocketRoute(host),
    watchSocketRoute(host),
    ...wires.flatMap((wire) => wire.sockets?.(context) ?? []),
  ];
  const routes: Route[] = [
    searchRoute(host),
    ...sessionRoutes(host),
    ...commandRoutes(host),
    ...lifecycleRoutes(host),
    ...stateRoutes(host),
    ...eventRoutes(host, hub),
    ...attachmentRoutes(host),
    watchRoute(host, hub),
    ...wires.flatMap((wire) => wire.routes?.(context) ?? []),
    ...serviceRoutes({
      host,
      metrics,
      version,
      isDraining: options.isDraining,
      openApi: () => openApiFrom({ routes, sockets, version }),
    }),
    hostRoute(host),
    auditRoute(host),
    ...pathRoutes(host),
    ...projectRoutes(host.projects),
    ...trustRoutes(host),
    ...policyRoutes(host),
    ...worktreeRoutes(host),
    ...loginRoutes(options.authenticator, pages),
    ...tokenRoutes(host, options.authenticator),
    ...(options.hasWebRoot ? [] : [welcomeRoute(pages.welcome)]),
  ];
  checkPaths([...routes, ...sockets.map(({ path }) => ({ path, method: "WebSocket" }))]);
  const listeners = wires.flatMap((wire) => wire.listener?.(context) ?? []);
  return { routes, sockets, listeners };
}

/** Of two routes with the same path one would never be reached. */
function checkPaths(routes: readonly { readonly method: string; readonly path: string }[]): void {
  const known = new Set<string>();
  for (const { method, path } of routes) {
    const key = `${method} ${path.replaceAll(/\{[^}]*\}/g, "{}")}`;
    if (known.has(key)) {
      throw new TransportError("wire_conflict", `two routes answer ${method} ${path}`);
    }
    known.add(key);
  }
}
