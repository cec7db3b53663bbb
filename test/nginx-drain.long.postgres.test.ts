import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { HostProcess } from "./hosts/host-process.ts";
import { builtCli } from "./support/built-program.ts";
import { newDatabase, type TestDatabase } from "./support/database.ts";
import { findNginx, startNginx } from "./support/nginx.ts";

const token = "nginx-test-token-0123456789-abcdefghijklmnopqrs";
const program = findNginx();

describe.runIf(program)("three processes over one Postgres, behind nginx", () => {
  let main: string;
  let database: TestDatabase;
  let directory: string;
  const started: HostProcess[] = [];
  let hosts: readonly { readonly process: HostProcess; readonly port: number }[] = [];

  beforeAll(async () => {
    main = await builtCli();
    database = await newDatabase();
    directory = await mkdtemp(join(tmpdir(), "tw-nginx-drain-"));
    hosts = await Promise.all(["a", "b", "c"].map(startHost));
  });

  afterAll(async () => {
    await Promise.all(started.map((process) => process.kill()));
    await database.remove();
    await rm(directory, { recursive: true, force: true });
  });

  async function startHost(name: string): Promise<{ process: HostProcess; port: number }> {
    const root = join(directory, "root");
    const own = join(directory, name);
    await Promise.all([root, own].map((path) => mkdir(path, { recursive: true })));
    const env = {
      TURNWIRE_STORE: database.url,
      // Long enough that a busy machine does not lose leases by itself, nor ends a turn that drains.
      TURNWIRE_LEASE_SECONDS: "600",
      TURNWIRE_DRAIN_SECONDS: "600",
    };
    const process = new HostProcess({ name, directory: own, token, root, main, env });
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
    const { session_id: id } = await client.sessions.create();
    const seen: SessionEvent[] = [];
    const exits: (number | null)[] = [];
    const leaving: Promise<void>[] = [];
    /** Sends SIGTERM to the host that runs the session, as an update does, and resolves once it is stopping. */
    const leave = async (): Promise<void> => {
      const { hosts: known } = await client.hosts();
      const owner = known.find(({ sessions, is_draining }) => sessions > 0 && !is_draining);
      const host = hosts.find(({ process }) => process.hostId === owner?.host_id);
      if (!host) throw new Error("no host runs the session");
      const direct = createClient({ url: `http://127.0.0.1:${host.port}`, token });
      leaving.push(host.process.drain().then((code) => void exits.push(code)));
      const health = () => direct.health().then(String, String);
      await expect.poll(health).toMatch(/stopping/);
    };
    const say = (text: string) =>
      client.sessions.message(id, { message: text, client_message_id: text });
    await say("/permission");
    let turns = 0;
    for await (const event of client.events(id)) {
      seen.push(event);
      if (event.type === "permission_request") {
        await leave();
        // The turn is in its middle until it is answered.
        const { correlation_id } = event.data;
        await client.sessions.command(id, {
          type: "permission_response",
          correlation_id,
          behavior: "allow",
        });
      }
      if (event.type !== "done") continue;
      turns += 1;
      if (turns === 3) break;
      await say(turns === 1 ? "/permission edit" : "/tools");
    }
    await Promise.all(leaving);
    expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_event, index) => index + 1));
    const types = seen.map(({ type }) => type);
    expect(types.filter((type) => type === "user_message")).toHaveLength(3);
    expect(types).not.toContain("error");
    expect(exits).toEqual([0, 0]);
  });
});
