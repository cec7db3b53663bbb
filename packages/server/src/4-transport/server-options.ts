import type { IncomingMessage } from "node:http";
import type { Clock, Logger } from "@turnwire/base";
import type { SessionHostOptions } from "../3-host/creation/session-host-options.ts";
import type { SessionHost } from "../3-host/session-host.ts";
import type { AuthOptions } from "./auth/auth.ts";
import type { FrameRingLimits } from "./stream/frame-log/frame-ring.ts";
import type { Wire } from "@turnwire/wire";

/** The options of a server with those of the host that it makes, or with a host that the program has made. */
export type TurnwireServerOptions = ServingOptions &
  ((SessionHostOptions & { readonly host?: undefined }) | { readonly host: SessionHost });

/** How sessions are served. */
export interface ServingOptions {
  /** Rights of requests; by default all rights for a token that the server makes: its `token`. */
  readonly auth?: AuthOptions;
  /** Names beside loopback that the server answers to: `name`, or `name:port`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may use the server. */
  readonly allowedOrigins?: readonly string[];
  /** Where an application has mounted the server, such as `/agents`: requests elsewhere are not its own. */
  readonly mountPath?: string;
  /** A built web application to serve instead of the welcome page. */
  readonly webRoot?: string;
  /** What the commands on the login page need so that they reach this server, such as `--data /srv/turnwire`: whoever opens the page sees it. */
  readonly cliOptions?: string;
  /** Protocols that it speaks in addition to its own; none by default. */
  readonly wires?: readonly Wire[];
  /** How large a request may be, and how long it may take to arrive: for embedders who accept large images. */
  readonly maxBodyBytes?: number;
  readonly bodyTimeoutMs?: number;
  readonly stallMs?: number;
  readonly keepaliveMs?: number;
  /** How long readers and agents have to end when the server closes. */
  readonly drainMs?: number;
  /** Wrong credentials per minute and address that get 401 before 429; more where many people share an address. */
  readonly authFailuresPerMinute?: number;
  /** Whose wrong credentials are counted together, e.g. from a proxy's header; the connection's address by default. */
  readonly clientAddress?: (incoming: IncomingMessage) => string;
  /** How many WebSockets a principal may have open at once. */
  readonly maxSocketsPerPrincipal?: number;
  /** How often the rights of those with an open stream or WebSocket are checked. */
  readonly rightsCheckMs?: number;
  /** How many of a session's newest frames stay encoded while it has readers: less saves memory, more saves reads. */
  readonly frameRing?: FrameRingLimits;
  readonly clock?: Clock;
  /** Where errors go that clients only see as "internal"; the logger by default, else the console. */
  onError?(error: unknown): void;
  /** What the server does, for whoever runs it. */
  readonly logger?: Logger;
}
