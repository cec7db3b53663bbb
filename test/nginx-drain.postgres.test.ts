import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BundledCli, bundleCli } from "./hosts/bundled-cli.ts";
import { HostProcess } from "./hosts/host-process.ts";
import { newDatabase, type TestDatabase } from "./support/database.ts";
import { findNginx, startNginx } from "./support/nginx.ts";

const token = "nginx-test-token-0123456789-abcdefghijklmnopqrs";
const program = findNginx();
/** A turn takes about two seconds, so that the signal meets it. */
const params = { delay_ms: 25 };

describe.runIf(program)("three processes over one Postgres, behind nginx", () => {
  let cli: BundledCli;
  let database: TestDatabase;
  let directory: string;
  const started: HostProcess[] = [];
  let hosts: readonly { readonly process: HostProcess; readonly port: number }[] = [];

  beforeAll(async () => {
    cli = await bundleCli();
    database = await newDatabase();
    directory = await mkdtemp(join(tmpdir(), "tw-nginx-drain-"));
    hosts = await Promise.all(["a", "b", "c"].map(startHost));
  });

  afterAll(async () => {
    await Promise.all(started.map((process) => process.kill()));
    await database.remove();
    await cli.remove();
    await rm(directory, { recursive: true, force: true });
  });

  async function startHost(name: string): Promise<{ process: HostProcess; port: number }> {
    const root = join(directory, "root");
    const own = join(directory, name);
    await Promise.all([root, own].map((path) => mkdir(path, { recursive: true })));
    // Long enough that a busy machine does not lose leases by itself.
    const env = { TURNWIRE_STORE: database.url, TURNWIRE_LEASE_SECONDS: "30" };
    const process = new HostProcess({ name, directory: own, token, root, main: cli.main, env });
    started.push(process);
    await process.start();
    if (process.port === undefined) throw new Error(`${name} does not listen`);
    return { process, port: process.port };
  }

  test("that get SIGTERM one after the other in the middle of a turn let it end, and no client notices", async () => {
    const servers = hosts.map(({ port }) => port);
    const nginx = await startNginx({ program: program ?? "", site: "turnwire.conf", servers });
    onTestFinished(() => nginx.close());
    const client = createClient({ url: nginx.url, token, transport: "sse" });
    const { session_id: id } = await client.sessions.create({ params });
    const seen: SessionEvent[] = [];
    const exits: (number | null)[] = [];
    const leaving: Promise<void>[] = [];
    /** Ends the host that runs the session now, as an update does. */
    const leave = async (): Promise<void> => {
      const { hosts: known } = await client.hosts();
      const owner = known.find(({ sessions, is_draining }) => sessions > 0 && !is_draining);
      const host = hosts.find(({ process }) => process.hostId === owner?.host_id);
      exits.push((await host?.process.drain()) ?? null);
    };
    const say = (text: string) =>
      client.sessions.message(id, { message: text, client_message_id: text });
    await say("/long 2");
    let turns = 0;
    for await (const event of client.events(id)) {
      seen.push(event);
      if (event.type === "turn_started" && turns < 2) leaving.push(leave());
      if (event.type !== "done") continue;
      turns += 1;
      if (turns === 3) break;
      await say(turns === 1 ? "/long 3" : "/tools");
    }
    await Promise.all(leaving);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_event, index) => index + 1));
    const types = seen.map(({ type }) => type);
    expect(types.filter((type) => type === "user_message")).toHaveLength(3);
    expect(types).not.toContain("error");
    expect(exits).toEqual([0, 0]);
  });
});
