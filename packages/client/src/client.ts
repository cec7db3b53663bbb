import type {
  DirectoryList,
  HostList,
  JsonValue,
  LoginLinkInput,
  PastSession,
  PathList,
  PathQuery,
  RelayList,
  RuntimeInfo,
  SessionEvent,
  SessionInfo,
} from "@turnwire/protocol";
import { Http } from "./5-connection/http.ts";
import { createPlatform, type AbortSignal, type Platform } from "./5-connection/platform.ts";
import { sessionFeed } from "./5-connection/session-feed.ts";
import { tail } from "./5-connection/tail.ts";
import { Transport, type TransportName } from "./5-connection/transport.ts";
import { createLoginApi, type LoginApi } from "./6-session/login-api.ts";
import { createTokenApi, type TokenApi } from "./6-session/token-api.ts";
import { createPolicyApi, type PolicyApi } from "./6-session/policy-api.ts";
import { createProjectApi, type ProjectApi } from "./6-session/project-api.ts";
import { SessionApi, type CallOptions, type SessionQuery } from "./6-session/session-api.ts";
import { SessionListStore } from "./6-session/session-list-store.ts";
import { createTrustApi, type TrustApi } from "./6-session/trust-api.ts";
import { createWorktreeApi, type WorktreeApi } from "./6-session/worktree-api.ts";
import { SharedSessions, type SharedSession } from "./6-session/shared-session.ts";
import { Session, type OpenSessionOptions } from "./6-session/session.ts";

/** Parts of the runtime can be replaced: `fetch`, timers, randomness, WebSocket. */
export interface ClientOptions extends Partial<Platform> {
  /** Where the server is: `http://127.0.0.1:4747`, with or without a path. */
  readonly url: string;
  /** Not needed in a page of the server itself: its browser is logged in, see `pageKey`. */
  readonly token?: string;
  /** How sessions are followed, `auto` by default. */
  readonly transport?: TransportName;
  /** How long an answer may take. */
  readonly timeoutMs?: number;
  /** How often a message is tried before it counts as failed. */
  readonly sendAttempts?: number;
  /** How long a shared session stays open after its last release. */
  readonly lingerMs?: number;
}

export interface EventsOptions {
  /** The last seq already seen; without it the log is read from its beginning. */
  readonly after?: number;
  /** The epoch that `after` belongs to. */
  readonly epoch?: string;
  readonly signal?: AbortSignal;
}

export interface Health {
  readonly status: string;
  readonly version: string;
}

/** The search; each part has the server's default. */
export type PathOptions = Partial<PathQuery>;

/** A server, as seen from a client. Holds no connection until one is asked for. */
export interface TurnwireClient {
  readonly sessions: SessionApi;
  /** A session's events across reconnects, until it is closed. Throws a ClientError where the log cannot be followed. */
  events(sessionId: string, options?: EventsOptions): AsyncIterable<SessionEvent>;
  /** Follows a session and holds its state, until `close`. */
  openSession(sessionId: string, options?: OpenSessionOptions): Session;
  /** The session that everybody on this client shares: one connection and one state, kept open until the last release and a moment longer. */
  shareSession(sessionId: string, options?: OpenSessionOptions): SharedSession;
  /** The principal's sessions, newest update first, live. */
  openSessionList(query?: SessionQuery): SessionListStore;
  /** The kinds of agents; `refresh` also asks connected ones again for their models, in the background. */
  runtimes(
    options?: CallOptions & { readonly refresh?: boolean },
  ): Promise<{ readonly runtimes: readonly RuntimeInfo[] }>;
  /** Sessions that agents on the server's machine made by themselves. */
  history(options?: CallOptions): Promise<{ readonly sessions: readonly PastSession[] }>;
  /** Makes a session of a past one. */
  importSession(
    past: Pick<PastSession, "runtime" | "provider_session_id">,
    options?: CallOptions,
  ): Promise<SessionInfo>;
  /** Completes a directory, or finds files in one, on the server's machine. */
  paths(query?: PathOptions, options?: CallOptions): Promise<PathList>;
  /** Directories in which sessions can be created. */
  readonly projects: ProjectApi;
  /** The directories in a directory on the server's machine, for a picker; without a path, where it begins. */
  directories(path?: string, options?: CallOptions): Promise<DirectoryList>;
  health(options?: CallOptions): Promise<Health>;
  /** Where on this server a browser is logged in, once within ten minutes. */
  loginLink(link?: LoginLinkInput, options?: CallOptions): Promise<{ readonly path: string }>;
  /** Browsers that are logged in. */
  readonly logins: LoginApi;
  readonly tokens: TokenApi;
  /** Directories whose own configuration may take effect. */
  readonly trust: TrustApi;
  /** Git worktrees that were made for sessions. */
  readonly worktrees: WorktreeApi;
  /** Relays that answer on the server's machine; none for those who are on another. */
  relays(options?: CallOptions): Promise<RelayList>;
  /** The policy for agents. */
  readonly policy: PolicyApi;
  /** The servers that share a store, this one included; for admins. */
  hosts(options?: CallOptions): Promise<HostList>;
  /** Prometheus text. */
  metrics(options?: CallOptions): Promise<string>;
  openapi(options?: CallOptions): Promise<JsonValue>;
}

export function createClient(options: ClientOptions): TurnwireClient {
  const {
    url,
    token,
    transport = "auto",
    timeoutMs = 30_000,
    sendAttempts = 8,
    lingerMs = 5_000,
    ...parts
  } = options;
  const platform = createPlatform(parts);
  const http = new Http({ url, token, timeoutMs, platform });
  const sessions = new SessionApi(http, { sendAttempts });
  const streams = new Transport(http, transport);
  const open = (sessionId: string, options?: OpenSessionOptions): Session => {
    const openStream = streams.streamOf(sessionFeed(sessionId));
    return new Session(sessionId, { platform, api: sessions, openStream }, options);
  };
  const shared = new SharedSessions({ platform, lingerMs, open });
  const get = <Result>(path: string, call?: CallOptions): Promise<Result> =>
    http.json({ method: "GET", path: [path], ...call });
  return {
    sessions,
    events: (sessionId, { after = 0, epoch, signal } = {}) =>
      tail({
        platform,
        from: { after, ...(epoch !== undefined && { epoch }), onGap: "fail" },
        openStream: streams.streamOf(sessionFeed(sessionId)),
        takeSnapshot: (aborted) => sessions.snapshot(sessionId, { signal: aborted }),
        signal,
      }),
    openSession: open,
    shareSession: (sessionId, options) => shared.share(sessionId, options),
    openSessionList: (query) => new SessionListStore({ platform, api: sessions, streams }, query),
    runtimes: ({ refresh = false, ...call } = {}) =>
      http.json({
        method: "GET",
        path: ["runtimes"],
        query: refresh ? { refresh: "true" } : {},
        ...call,
      }),
    history: (call) => get("history", call),
    importSession: ({ runtime, provider_session_id }, call) =>
      http.json({
        method: "POST",
        path: ["history", provider_session_id, "import"],
        body: { runtime },
        ...call,
      }),
    paths: (query, call) =>
      http.json({ method: "GET", path: ["paths"], query: { ...query }, ...call }),
    projects: createProjectApi(http),
    directories: (path, call) =>
      http.json({
        method: "GET",
        path: ["directories"],
        query: { ...(path !== undefined && { path }) },
        ...call,
      }),
    health: (call) => get("health", call),
    loginLink: (link = {}, call) =>
      http.json({ method: "POST", path: ["login"], body: link, ...call }),
    logins: createLoginApi(http),
    tokens: createTokenApi(http),
    trust: createTrustApi(http),
    worktrees: createWorktreeApi(http),
    policy: createPolicyApi(http),
    relays: (call) => get("relays", call),
    hosts: (call) => get("hosts", call),
    metrics: (call) => http.text({ method: "GET", path: ["metrics"], ...call }),
    openapi: (call) => get("openapi.json", call),
  };
}
