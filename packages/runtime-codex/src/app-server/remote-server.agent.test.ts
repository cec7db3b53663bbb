import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { codexBinary } from "../setting/binary.ts";
import { codexEnvironment } from "../setting/environment.ts";
import { checkCodex } from "../setting/check.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();
let url: string;
let server: ChildProcess | undefined;
let host: SessionHost;

/** Below the ports that the system gives to whoever asks for any, so it is still free when it is bound. */
async function freePort(): Promise<number> {
  for (let port = 20_000 + (process.pid % 10_000); ; port += 1) {
    const probe = createServer().listen(port, "127.0.0.1");
    const [listening] = await Promise.allSettled([once(probe, "listening")]);
    if (listening.status === "rejected") continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}

async function startRemote(): Promise<void> {
  const { path: home, env } = place.home;
  server = spawn(codexBinary(undefined), ["app-server", "--listen", url], {
    env: codexEnvironment({ home, env }),
    stdio: "ignore",
  });
  const options = { home, url };
  await expect.poll(async () => (await checkCodex(options)).isAvailable).toBe(true);
}

async function stopRemote(): Promise<void> {
  if (!server) return;
  server.kill("SIGKILL");
  await once(server, "exit");
  server = undefined;
}

beforeAll(async () => {
  url = `ws://127.0.0.1:${await freePort()}`;
  host = place.openHost({ url });
});

afterAll(async () => {
  await host.close();
  await stopRemote();
});

test("an app-server reached by URL serves sessions, and is named while it is down", async () => {
  const refused = await host.create({}, admin);
  expect(refused).toMatchObject({ ok: false, error: { code: "runtime_unavailable" } });
  expect(JSON.stringify(refused)).toContain(`codex app-server --listen ${url}`);
  await startRemote();
  const own = await AgentSession.create(host);
  expect(spoken(await own.turn("SCENARIO:text from afar"))).toBe("from afar");
  await stopRemote();
  const lost = await own.turn("SCENARIO:text lost");
  expect(JSON.stringify(lost)).toContain(url);
  await startRemote();
  expect(spoken(await own.turn("SCENARIO:text back again"))).toBe("back again");
});
