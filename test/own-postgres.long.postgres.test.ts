import { createClient } from "@turnwire/client";
import { expect, test } from "vitest";
import { converse, findPostgres, isRunning, prepareHost, token } from "./hosts/own-host.ts";

test("a second signal, which ends turnwire at once, leaves no Postgres behind either", async () => {
  const { host, data } = await prepareHost();
  await host.start();
  const client = createClient({ url: `http://127.0.0.1:${host.port}`, token });
  await client.sessions.create({ session_id: "busy" });
  await client.sessions.message("busy", { message: "/permission" });
  // The turn does not end before somebody answers.
  for await (const { type } of client.events("busy")) if (type === "permission_request") break;
  const { pid } = await findPostgres(data);
  const ended = host.drain();
  await expect.poll(() => client.health().catch(String)).toMatch(/stopping/);
  await host.drain();
  expect(await ended).not.toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("turnwire ends with an error when its Postgres is killed, and continues at the next start", async () => {
  const { host, data } = await prepareHost();
  await host.start();
  const first = await converse(host, "kept", 1);
  process.kill((await findPostgres(data)).pid, "SIGKILL");
  expect(await host.exited()).toBe(1);
  await host.start();
  const second = await converse(host, "kept", 2);
  expect(second.slice(0, first.length)).toEqual(first);
});
