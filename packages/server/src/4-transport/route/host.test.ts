import { HostList } from "@turnwire/protocol";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { startServer } from "../test-support/running-server.ts";

const description = {
  storage: "nas",
  version: "0.1.0",
  startedAt: "2026-11-16T00:00:00.000Z",
  isDraining: false,
  liveRuns: 3,
};

describe("GET /hosts", () => {
  test("lists a server that is alone with its store", async () => {
    const { request, createSession } = await startServer();
    await createSession();
    const { hosts } = HostList.parse(await (await request("/hosts")).json());
    expect(hosts).toHaveLength(1);
    expect(hosts[0]).toMatchObject({ is_current: true, is_alive: true, is_draining: false });
    expect(hosts[0]?.sessions).toBe(1);
    expect(hosts[0]?.version).toMatch(/^\d+\.\d+\.\d+/);
  });

  test("lists this server first, then those that live, then those that are lost", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock });
    await store.renewHolder("gone", 10, { ...description, name: "a-gone" });
    await clock.advance(11);
    await store.renewHolder("leaving", 10_000, { ...description, name: "z", isDraining: true });
    await store.renewHolder("other", 10_000, { ...description, name: "b", url: "http://b:4747" });
    const { request } = await startServer({ hostOptions: { store, hostId: "this" } });
    const { hosts } = HostList.parse(await (await request("/hosts")).json());
    expect(hosts.map(({ host_id }) => host_id)).toEqual(["this", "other", "leaving", "gone"]);
    expect(hosts.map(({ is_current }) => is_current)).toEqual([true, false, false, false]);
    expect(hosts.map(({ is_alive }) => is_alive)).toEqual([true, true, true, false]);
    expect(hosts[1]).toMatchObject({ storage: "nas", live_runs: 3, url: "http://b:4747" });
    expect(hosts[2]).toMatchObject({ is_draining: true });
    expect(hosts[3]).toMatchObject({ live_runs: 0 });
  });

  test("is for admins", async () => {
    const { request } = await startServer({
      auth: { type: "authorize", authorize: () => ({ id: "ann", isAdmin: false }) },
    });
    expect((await request("/hosts")).status).toBe(403);
  });
});
