import type { Clock } from "@turnwire/base";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Authenticator } from "../auth/auth.ts";
import type { Metrics } from "../http/metrics.ts";
import { openApiFrom } from "../http/openapi.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { hostIdOf } from "../relay/relay-greeting.ts";
import { RelaySearch } from "../relay/relay-search.ts";
import type { Route } from "../http/route.ts";
import { attachmentRoutes } from "./attachment.ts";
import { commandRoutes } from "./command.ts";
import { eventRoutes } from "./events.ts";
import { genUiRoute } from "./genui.ts";
import { hostRoute } from "./host.ts";
import { kitSocketRoute } from "./kit.ts";
import { lifecycleRoutes } from "./lifecycle.ts";
import { loginRoutes } from "./login.ts";
import { welcomeRoute } from "./page.ts";
import { pathRoutes } from "./path.ts";
import { policyRoutes } from "./policy.ts";
import { projectRoutes } from "./project.ts";
import { relayRoute } from "./relay.ts";
import { searchRoute } from "./search.ts";
import { serviceRoutes } from "./service.ts";
import { sessionRoutes } from "./session.ts";
import { sessionSocketRoute } from "./socket.ts";
import { stateRoutes } from "./state.ts";
import { trustRoutes } from "./trust.ts";
import { webkitRoutes } from "./webkit.ts";
import { worktreeRoutes } from "./worktree.ts";
import { watchRoute, watchSocketRoute } from "./watch.ts";
import type { SocketRoute } from "../http/socket-route.ts";
import type { WebkitOptions } from "../stream/webkit-position.ts";
import { createPages } from "../http/welcome-page.ts";

export interface RouteTableOptions {
  readonly host: SessionHost;
  readonly hub: ReaderHub;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Where relays of this machine are looked for. */
  readonly relayPorts: () => readonly number[];
  readonly authenticator: Authenticator;
  readonly version: string;
  readonly hasWebRoot: boolean;
  readonly cliOptions?: string;
  readonly webkit?: WebkitOptions;
  readonly isDraining: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Every path the server answers on. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute[];
}

export function createRouteTable(options: RouteTableOptions): RouteTable {
  const { host, hub, metrics, version } = options;
  const pages = createPages(options.cliOptions ?? "");
  const sockets = [
    sessionSocketRoute(host, hub, options.onError),
    watchSocketRoute(host, hub, options.onError),
    kitSocketRoute(host, hub, options.onError),
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
    ...webkitRoutes(host, hub, options.webkit),
    genUiRoute(host),
    ...serviceRoutes({
      host,
      metrics,
      version,
      isDraining: options.isDraining,
      openApi: () => openApiFrom({ routes, sockets, version }),
    }),
    hostRoute(host),
    ...pathRoutes(host),
    ...projectRoutes(host.projects),
    ...trustRoutes(host),
    ...policyRoutes(host),
    ...worktreeRoutes(host),
    relayRoute(
      new RelaySearch({
        ports: options.relayPorts,
        hostId: hostIdOf(host),
        clock: options.clock,
      }),
    ),
    ...loginRoutes(options.authenticator, pages),
    ...(options.hasWebRoot ? [] : [welcomeRoute(pages.welcome)]),
  ];
  return { routes, sockets };
}
