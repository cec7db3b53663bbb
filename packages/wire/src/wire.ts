import type { IncomingMessage } from "node:http";
import type { Clock } from "@turnwire/base";
import type {
  CatalogEntry,
  CreateSession,
  PastSession,
  Result,
  RuntimeInfo,
  SessionInfo,
  Principal,
} from "@turnwire/protocol";
import type { AdoptedCli, CliLink } from "@turnwire/runtime";
import type { Dialect } from "./dialect.ts";
import type { FrameLease, WireFormat } from "./frame-source.ts";
import type { WireListener } from "./listener.ts";
import type { OpenSession } from "./open-session.ts";
import type { HttpResponse, TAKEN } from "./http-response.ts";
import type { Call, Route } from "./route.ts";
import type { ChangeListener } from "./session-change.ts";
import type { SocketRoute } from "./socket-route.ts";

/**
 * A protocol that clients already speak, as a plugin of the server: the paths on which it is spoken.
 * Every request has passed the server's gate before a wire sees it, and reaches sessions only with
 * the rights of its principal.
 */
export interface Wire {
  readonly name: string;
  routes?(context: WireContext): readonly Route[];
  sockets?(context: WireContext): readonly SocketRoute[];
  /** Only of a server that listens by itself. */
  listener?(context: WireContext): WireListener;
  /** Ports of this machine that the web app, opened on this machine, may open WebSockets to. */
  readonly pagePorts?: readonly number[];
}

/** What a wire works with. */
export interface WireContext {
  readonly host: WireHost;
  readonly clock: Clock;
  /** Whether clients need a credential. */
  readonly needsCredential: boolean;
  /** Where the server is; undefined while it does not listen. */
  readonly url: () => string | undefined;
  /** Sends a session as server-sent events, for as long as the reader may reach it. */
  readonly stream: (call: Call, stream: SessionStream) => Promise<HttpResponse | typeof TAKEN>;
  /** A session's frames, which are encoded once for all their readers; the session stays loaded until they are released. */
  readonly framesOf: (session: OpenSession, format: WireFormat) => FrameLease;
  /** Whether a request was made on this machine, and not to a proxy on it that others visit. */
  readonly isFromHere: (incoming: IncomingMessage) => boolean;
  /** Where errors go that clients only see as "internal". */
  readonly report: (error: unknown) => void;
}

export interface SessionStream {
  readonly session: OpenSession;
  readonly dialect: Dialect;
  /** The seq of the last event that the reader has; by default what `Last-Event-ID` or `?after` says. */
  readonly after?: number;
}

/** The sessions of a server, each for those who may reach it. */
export interface WireHost {
  /** The components that can be shown in every new session. */
  readonly catalog: readonly CatalogEntry[];
  readonly past: PastConversations;
  /** Every session as it changes. */
  readonly changes: { subscribe(listener: ChangeListener): () => void };
  /** Makes an agent that has dialled in the agent of its session. */
  adoptCli(link: CliLink, principal: Principal): AdoptedCli;
  /** A session of somebody else is answered like one that does not exist. */
  openOrRead(sessionId: string, principal: Principal): Promise<Result<OpenSession>>;
  create(creation: CreateSession, principal: Principal): Promise<Result<OpenSession>>;
  /** Checks what `create` would check, and creates nothing. */
  checkCreation(creation: CreateSession, principal: Principal): Promise<Result<unknown>>;
  /** The sessions that a principal may see, newest update first. */
  list(query: {
    readonly principal: Principal;
    readonly limit: number;
    readonly status?: SessionInfo["status"];
  }): Promise<{ readonly sessions: readonly SessionInfo[] }>;
  runtimes(): Promise<readonly RuntimeInfo[]>;
}

/** Conversations by the ids that the agents' own programs have for them. */
export interface PastConversations {
  /** Those without a session here, newest first; only for admins. */
  list(principal: Principal): Promise<readonly PastSession[]>;
  /**
   * The session of an id: ours, or that of the agent's own program. For admins a conversation that is
   * no session yet can become one.
   */
  open(
    id: string,
    principal: Principal,
    options?: { readonly imports?: boolean },
  ): Promise<Result<OpenSession>>;
}
