import type { Clock } from "@turnwire/base";
import type { SessionHost } from "../2-session/session-host.ts";
import type { Authenticator } from "./auth.ts";
import type { Metrics } from "./metrics.ts";
import { openApiFrom } from "./openapi.ts";
import type { ReaderHub } from "./reader-hub.ts";
import { hostIdOf } from "./relay-greeting.ts";
import { RelaySearch } from "./relay-search.ts";
import type { Route } from "./route.ts";
import { attachmentRoutes } from "./route/attachment.ts";
import { commandRoutes } from "./route/command.ts";
import { eventRoutes } from "./route/events.ts";
import { genUiRoute } from "./route/genui.ts";
import { hostRoute } from "./route/host.ts";
import { kitSocketRoute } from "./route/kit.ts";
import { lifecycleRoutes } from "./route/lifecycle.ts";
import { loginRoutes } from "./route/login.ts";
import { welcomeRoute } from "./route/page.ts";
import { pathRoutes } from "./route/path.ts";
import { policyRoutes } from "./route/policy.ts";
import { projectRoutes } from "./route/project.ts";
import { relayRoute } from "./route/relay.ts";
import { searchRoute } from "./route/search.ts";
import { serviceRoutes } from "./route/service.ts";
import { sessionRoutes } from "./route/session.ts";
import { sessionSocketRoute } from "./route/socket.ts";
import { stateRoutes } from "./route/state.ts";
import { trustRoutes } from "./route/trust.ts";
import { webkitRoutes } from "./route/webkit.ts";
import { worktreeRoutes } from "./route/worktree.ts";
import { watchRoute, watchSocketRoute } from "./route/watch.ts";
import type { SocketRoute } from "./socket-route.ts";
import type { WebkitOptions } from "./webkit-position.ts";
import { createPages } from "./welcome-page.ts";

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
    watchSocketRoute(host, hub),
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
