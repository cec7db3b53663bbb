import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  draft,
  type EventDraft,
  noCapabilities,
  type SessionInfo,
  WireErrorBody,
} from "@turnwire/protocol";
import { onTestFinished } from "vitest";
import { kit } from "../../../../wire-kit/src/index.ts";
import { webkit } from "../../../../wire-webkit/src/index.ts";
import { createMemoryStore } from "@turnwire/log";
import { wholeLog } from "../../../../log/src/test-support/whole-log.ts";
import { demo } from "@turnwire/runtime/demo";
import type { Session } from "../../2-session/session.ts";
import { SessionHost } from "../../3-host/session-host.ts";
import type { SessionHostOptions } from "../../3-host/creation/session-host-options.ts";
import { createTurnwireServer, type TurnwireServer } from "../server.ts";
import type { TurnwireServerOptions } from "../server-options.ts";

export const testToken = "test-token-0123456789-abcdefghijklmnopqrstuvwxyz";

export interface RunningServer {
  readonly server: TurnwireServer;
  readonly host: SessionHost;
  readonly url: string;
  readonly port: number;
  /** Errors that clients did not see. */
  readonly errors: readonly unknown[];
  /** A request with the token; a body is sent as JSON. */
  readonly request: (path: string, init?: TestRequest) => Promise<Response>;
  /** The sum of a metric's series. */
  readonly metric: (name: string) => Promise<number>;
  /** A new session, by its id. */
  readonly createSession: (options?: Record<string, unknown>) => Promise<string>;
  /** The session as the server holds it, to append to its log directly. */
  readonly session: (id: string) => Promise<Session>;
}

export type TestRequest = RequestInit & { readonly json?: unknown };

export interface StartOptions extends Partial<Omit<TurnwireServerOptions, "host">> {
  readonly hostOptions?: Partial<SessionHostOptions>;
}

/** A server of all wires on a free port, over the demo runtime, one that can nothing, and a memory store, gone when the test ends. */
export async function startServer(options: StartOptions = {}): Promise<RunningServer> {
  const { hostOptions, ...serverOptions } = options;
  const root = await mkdtemp(join(tmpdir(), "turnwire-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const errors: unknown[] = [];
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [
      demo({ delayMs: 0 }),
      { ...demo({ delayMs: 0 }), name: "plain", capabilities: noCapabilities },
    ],
    defaultRuntime: "demo",
    roots: [root],
    onError: (error) => errors.push(error),
    ...hostOptions,
  });
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token: testToken },
    wires: [webkit(), kit()],
    onError: (error) => errors.push(error),
    ...serverOptions,
  });
  const { url, port } = await server.listen();
  onTestFinished(() => server.close());

  const request: RunningServer["request"] = (path, init = {}) => {
    const { json, ...rest } = init;
    const headers = new Headers(rest.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${testToken}`);
    if (json === undefined) return fetch(`${url}${path}`, { redirect: "manual", ...rest, headers });
    headers.set("content-type", "application/json");
    const body = JSON.stringify(json);
    return fetch(`${url}${path}`, { method: "POST", ...rest, headers, body });
  };

  return {
    server,
    host,
    url,
    port,
    errors,
    request,
    async metric(name) {
      const text = await (await request("/metrics")).text();
      const lines = text.split("\n").filter((line) => /^[a-z_]+/.exec(line)?.[0] === name);
      return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    },
    async createSession(session = {}) {
      const answer = await request("/sessions", { json: session });
      const info = (await answer.json()) as SessionInfo;
      return info.session_id;
    },
    async session(id) {
      const session = await host.open(id, { id: "local", isAdmin: true });
      if (!session.ok) throw new Error(session.error.message);
      return session.value;
    },
  };
}

/** The token as header, where a test does not come with a browser's cookie. */
export function tokenUnlessCookie(headers: object): Record<string, string> {
  return "cookie" in headers ? {} : { authorization: `Bearer ${testToken}` };
}

/** Appends events of some text each and waits until they are committed. */
export async function appendTexts(session: Session, texts: readonly string[]): Promise<void> {
  const drafts = texts.map((text): EventDraft => draft("notice", { level: "info", text }));
  await wholeLog(session.log).append(drafts).committed;
}

/** Resolves when a metric has a value; asks again as often as the server answers. */
export async function metricIs(
  running: Pick<RunningServer, "metric">,
  name: string,
  value: number,
): Promise<void> {
  while ((await running.metric(name)) !== value);
}

/** The code of a refusal, after a look at whether its body has the one shape that errors have. */
export async function codeOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json();
  const { error, detail } = WireErrorBody.parse(body);
  if (detail !== error.message) throw new Error(`detail differs from message: ${detail}`);
  return error.code;
}
