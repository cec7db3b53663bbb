import { demo } from "@turnwire/runtime/demo";
import { createTurnwireServer, createSessionHost, type Store } from "@turnwire/server";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Session } from "../server/turnwire.ts";

export interface AppServer {
  readonly url: string;
  /** A link that logs one browser in. */
  loginUrl(): Promise<string>;
  newSession(title: string): Promise<string>;
  session(sessionId: string): Promise<Session>;
  /** The request that follows a session from its first event. */
  requestFor(sessionId: string): string;
  /** Says something in a session and waits until its turn has ended. */
  play(sessionId: string, text: string): Promise<void>;
  close(): Promise<void>;
}

interface AppServerOptions {
  readonly store: Store;
  readonly directory: string;
  readonly webRoot: string;
  /** Between two words of the demo agent. */
  readonly delayMs: number;
}

const principal = { id: "local", isAdmin: true };
const TOKEN = "bench-token-0123456789-abcdefghijklmnopqrstuvwxyz";

/** The app as it is shipped, into a directory. */
export async function buildApp(directory: string): Promise<void> {
  const root = fileURLToPath(new URL("../../apps/web", import.meta.url));
  const options = ["exec", "--", "vite", "build", "--outDir", directory, "--logLevel", "error"];
  const env = { ...process.env, NODE_ENV: "production" };
  await promisify(execFile)("npm", options, { cwd: root, env });
}

/** The server with the built app and a demo agent of that tempo. */
export async function startAppServer(options: AppServerOptions): Promise<AppServer> {
  const { store, directory, webRoot, delayMs } = options;
  const host = createSessionHost({
    store,
    runtimes: [demo({ delayMs })],
    defaultRuntime: "demo",
    roots: [directory],
    onError: fail,
  });
  const server = await createTurnwireServer({
    host,
    webRoot,
    auth: { type: "token", token: TOKEN },
    onError: fail,
  });
  const { url } = await server.listen();
  const sessionOf = async (id: string): Promise<Session> => {
    const found = await host.open(id, principal);
    if (!found.ok) throw new Error(found.error.message);
    return found.value;
  };
  return {
    url,
    loginUrl: () => server.loginUrl(),
    async newSession(title) {
      const created = await host.create({ title }, principal);
      if (!created.ok) throw new Error(created.error.message);
      return created.value.id;
    },
    session: sessionOf,
    requestFor: (sessionId) =>
      [
        `GET /sessions/${sessionId}/events HTTP/1.1`,
        `Host: ${new URL(url).host}`,
        `Authorization: Bearer ${TOKEN}`,
        "Accept: text/event-stream",
        "\r\n",
      ].join("\r\n"),
    play: async (sessionId, text) => play(await sessionOf(sessionId), text),
    close: () => server.close(),
  };
}

async function play(session: Session, text: string): Promise<void> {
  const ended = new Promise<void>((resolve, reject) => {
    const leave = session.log.subscribe({
      onEvents: (events) => {
        if (!events.some(({ type }) => type === "done")) return;
        leave();
        resolve();
      },
      onEnd: (reason) => reject(new Error(`The log ended: ${reason}.`)),
    });
  });
  const said = await session.execute({ type: "user_message", content: text }, principal);
  if (!said.ok) throw new Error(said.error.message);
  await ended;
}

/** A bench in which anything goes wrong has measured nothing. */
function fail(error: unknown): never {
  throw error;
}
