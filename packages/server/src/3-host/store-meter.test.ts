import { createMemoryStore, StoreError } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { interceptStore } from "../../../log/src/test-support/intercepted-store.ts";
import { eventOf } from "../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import { followedOn, hushed, openTestHosts } from "../test-support/test-hosts.ts";
import type { SessionHost } from "./session-host.ts";

/** What the meter of a host reports from now on. */
function metered(host: SessionHost) {
  const operations: string[] = [];
  const hints: string[] = [];
  const remoteMs: number[] = [];
  const stop = host.storeMeter.observe({
    onOperation: (operation, ms, isFailed) => {
      expect(ms).toBeGreaterThanOrEqual(0);
      operations.push(isFailed ? `${operation} failed` : operation);
    },
    onHint: (type) => hints.push(type),
    onRemoteCommand: (ms) => remoteMs.push(ms),
  });
  return { operations, hints, remoteMs, stop };
}

describe("the meter of a store", () => {
  test("measures what a host asks, and what fails", async () => {
    const away = new StoreError("unavailable", "the store is away");
    let isAway = false;
    const memory = createMemoryStore();
    const store = interceptStore(memory, {
      append: (batch) => (isAway ? Promise.reject(away) : memory.append(batch)),
    });
    const { host } = openTestHost({ store });
    const { operations, stop } = metered(host);
    const session = await createTestSession(host);
    expect(operations.filter((name) => name === "lease" || name === "append")).toEqual([
      "lease",
      "append",
    ]);
    isAway = true;
    await session.execute({ type: "rename", title: "a" }, admin);
    expect(operations).toContain("append failed");
    stop();
    const count = operations.length;
    await host.close();
    expect(operations).toHaveLength(count);
  });

  test("counts hints by type and knows how long a command took that another host carried out", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const { hints, remoteMs, operations } = metered(second.host);
    const renamed = await followed.execute({ type: "rename", title: "b" }, admin);
    expect(renamed).toMatchObject({ ok: true });
    expect(remoteMs).toHaveLength(1);
    expect(remoteMs[0]).toBeGreaterThanOrEqual(0);
    expect(hints).toEqual(expect.arrayContaining(["inbox", "answer", "events"]));
    expect(operations).toContain("inbox");
    expect(second.host.metrics).toMatchObject({ sessionsFollowed: 1, pollCatches: 0 });
    expect(first.host.metrics).toMatchObject({ sessionsFollowed: 0 });
  });

  test("what a poll finds without a hint is counted", async () => {
    const { first, store, clock, open } = openTestHosts();
    const deaf = open({ store: hushed(store) });
    const session = await createTestSession(first.host);
    const followed = await followedOn(deaf.host, session.id);
    await session.execute({ type: "rename", title: "c" }, admin);
    expect(deaf.host.metrics.pollCatches).toBe(0);
    const heard = eventOf(followed.log, "session_updated");
    await clock.advance(1_000);
    await heard;
    expect(deaf.host.metrics.pollCatches).toBe(1);
    await clock.advance(1_000);
    expect(deaf.host.metrics.pollCatches).toBe(1);
  });
});
