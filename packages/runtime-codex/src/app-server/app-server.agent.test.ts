import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AppServer } from "./app-server.ts";
import type { CodexOptions } from "../setting/options.ts";
import { killServers, livingServers, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();

function openServer(options: Partial<CodexOptions> = {}): AppServer {
  const server = new AppServer({ home: place.home.path, env: place.home.env, ...options });
  onTestFinished(() => server.close());
  return server;
}

describe("the app-server", () => {
  test("is started once, however many ask for it at once", async () => {
    const server = openServer();
    const [one, two] = await Promise.all([server.connect(), server.connect()]);
    expect(one).toBe(two);
    expect(await livingServers()).toEqual([one.process.pid]);
  });

  test("is started again after it died, and gone after it was closed", async () => {
    const server = openServer();
    const first = await server.connect();
    await killServers();
    await first.rpc.closed;
    const second = await server.connect();
    expect(second.process.pid).not.toBe(first.process.pid);
    await server.close();
    expect(await livingServers()).toEqual([]);
    await expect(server.connect()).rejects.toMatchObject({ code: "not_available" });
  });

  test("ends every call that waits when it dies", async () => {
    const { rpc } = await openServer().connect();
    const seen = join(place.directory, "seen");
    const command = ["sh", "-c", `touch ${seen}; exec sleep 60`];
    const calls = [1, 2, 3].map(() =>
      rpc.call("command/exec", { command, sandboxPolicy: { type: "dangerFullAccess" } }),
    );
    const settled = Promise.allSettled(calls);
    // Codex is at one of them and can answer none.
    await expect.poll(() => existsSync(seen)).toBe(true);
    await killServers();
    const lost = { status: "rejected", reason: { code: "exited" } };
    expect(await settled).toMatchObject([lost, lost, lost]);
    await expect(rpc.call("thread/list")).rejects.toMatchObject({ code: "exited" });
  });

  test("is not brought back for idle runs for ever", async () => {
    const server = openServer();
    for (let life = 0; life < 3; life += 1) {
      const { rpc } = await server.reconnect();
      await killServers();
      await rpc.closed;
    }
    await expect(server.reconnect()).rejects.toThrow("died 3 times");
  });

  test("says what is wrong when its settings cannot be read", async () => {
    const home = join(place.directory, "broken-home");
    const server = openServer({ home, config: { sandbox_mode: "nonsense" } });
    await expect(server.connect()).rejects.toMatchObject({ code: "spawn_failed" });
    expect(await livingServers()).toEqual([]);
  });

  test("says what is wrong when its own file of settings makes no sense", async () => {
    const home = join(place.directory, "spoilt-home");
    await mkdir(home);
    await writeFile(join(home, "config.toml"), "model = [nonsense");
    await expect(openServer({ home }).connect()).rejects.toThrow(/could not start.*config\.toml/);
    expect(await livingServers()).toEqual([]);
  });

  test("says what is wrong when the program is missing", async () => {
    const server = openServer({ executable: join(place.directory, "no-codex") });
    await expect(server.connect()).rejects.toMatchObject({ code: expect.any(String) });
  });
});
