import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import { openPostgresStore } from "@turnwire/log/postgres";
import type { SessionEvent } from "@turnwire/protocol";
import { createTurnwireServer, createSessionHost } from "@turnwire/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { newDatabase, type TestDatabase } from "./support/database.ts";
import { findNginx, startNginx } from "./support/nginx.ts";

const token = "nginx-test-token-0123456789-abcdefghijklmnopqrs";
const program = findNginx();

describe.runIf(program)("three hosts over one Postgres, behind nginx", () => {
  let database: TestDatabase;
  let root: string;

  beforeAll(async () => {
    database = await newDatabase();
    root = await mkdtemp(join(tmpdir(), "turnwire-nginx-hosts-"));
  });

  afterAll(async () => {
    await database.remove();
    await rm(root, { recursive: true, force: true });
  });

  async function startHost() {
    const store = await openPostgresStore({ url: database.url, connections: 4 });
    const host = createSessionHost({
      store,
      runtimes: [demo({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [root],
    });
    const server = await createTurnwireServer({ host, auth: { type: "token", token } });
    const { port, url } = await server.listen();
    const close = async () => {
      await server.close();
      await store.close();
    };
    onTestFinished(close);
    return { host, port, url, close };
  }

  test("a session is followed and commanded through any of them, also when its own host leaves", async () => {
    const [first, ...others] = await Promise.all([startHost(), startHost(), startHost()]);
    const servers = [first, ...others].map(({ port }) => port);
    const nginx = await startNginx({ program: program ?? "", site: "turnwire.conf", servers });
    onTestFinished(() => nginx.close());
    const direct = createClient({ url: first.url, token });
    const { session_id: id } = await direct.sessions.create();
    const client = createClient({ url: nginx.url, token, transport: "sse" });
    const seen: SessionEvent[] = [];
    const turns = 6;
    let done = 0;
    const say = () => client.sessions.message(id, { message: `/plan ${done}` });
    await say();
    for await (const event of client.events(id)) {
      seen.push(event);
      if (event.type !== "done") continue;
      done += 1;
      if (done === turns) break;
      if (done === 3) await first.close();
      await say();
    }
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_event, index) => index + 1));
    const messages = seen.filter(({ type }) => type === "user_message");
    expect(messages).toHaveLength(turns);
    expect(others.filter(({ host }) => host.metrics.sessionsLoaded > 0)).toHaveLength(1);
  });
});
