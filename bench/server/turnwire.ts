import type { Runtime } from "@turnwire/runtime";
import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createTurnwireServer,
  openSqliteStore,
  type SessionHost,
  createSessionHost,
  type SessionHostOptions,
} from "@turnwire/server";

export type Session = Extract<Awaited<ReturnType<SessionHost["create"]>>, { ok: true }>["value"];

export interface BenchServer {
  readonly port: number;
  newSession(): Promise<Session>;
  /** The request that follows a session from its first event. */
  requestFor(session: Session): string;
  close(): Promise<void>;
}

export interface BenchServerOptions extends Pick<SessionHostOptions, "ringSize"> {
  readonly runtime?: Runtime;
  readonly durability?: "durable" | "fast";
}

const TOKEN = "bench-token-0123456789-abcdefghijklmnopqrstuvwxyz";
/** Longer than any bench: a keepalive in one stream only would look like a difference. */
const KEEPALIVE_MS = 3_600_000;

/** The server as it is shipped: durable SQLite unless asked otherwise, auth, metrics; nothing is left out. */
export async function startTurnwire(options: BenchServerOptions = {}): Promise<BenchServer> {
  const { runtime = demo(), durability = "durable", ...hostOptions } = options;
  const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-"));
  const store = await openSqliteStore({ path: join(directory, "store.db"), durability });
  const host = createSessionHost({
    ...hostOptions,
    store,
    runtimes: [runtime],
    defaultRuntime: runtime.name,
    roots: [directory],
    maxLiveRuns: 1000,
    onError: fail,
  });
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token: TOKEN },
    keepaliveMs: KEEPALIVE_MS,
    onError: fail,
  });
  const { port } = await server.listen();
  return {
    port,
    async newSession() {
      const created = await host.create({}, { id: "local", isAdmin: true });
      if (!created.ok) throw new Error(created.error.message);
      return created.value;
    },
    requestFor: (session) =>
      [
        `GET /sessions/${session.id}/events HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${TOKEN}`,
        "Accept: text/event-stream",
        "\r\n",
      ].join("\r\n"),
    async close() {
      await server.close();
      await store.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** A bench in which anything goes wrong has measured nothing. */
function fail(error: unknown): never {
  throw error;
}
