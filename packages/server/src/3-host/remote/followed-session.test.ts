import { draft } from "@turnwire/protocol";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { askPermission } from "../../test-support/asked-permission.ts";
import { endOf, eventTypes, eventWhere, readAll } from "../../test-support/log-reader.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { followedOn, openedOn, openTestHosts } from "../../test-support/test-hosts.ts";
import { Session } from "../../2-session/session.ts";

const alice = { id: "alice", isAdmin: false };
const bob = { id: "bob", isAdmin: false };

describe("a session that another host runs", () => {
  test("is the same there: events, state, control, info", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    await askPermission(session, first.runtime);
    const followed = await followedOn(second.host, session.id);
    expect(await readAll(followed.log)).toEqual(await readAll(session.log));
    expect(await followed.snapshot()).toEqual(await session.snapshot());
    expect(followed.control).toEqual(session.control);
    expect(followed.info()).toEqual(session.info());
    expect(followed.creation).toEqual(session.creation);
    expect(second.host.metrics.sessionsLoaded).toBe(0);
  });

  test("is followed as it grows, every event once and in order", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const seqs: number[] = [];
    followed.log.subscribe({
      onEvents: (events) => seqs.push(...events.map(({ seq }) => seq)),
      onEnd: () => undefined,
    });
    for (let index = 0; index < 50; index += 1) {
      await session.record([draft("notice", { level: "info", text: String(index) })]);
    }
    await eventWhere(followed.log, ({ seq }) => seq === 51);
    expect(seqs).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));
  });

  test("is someone else's there too", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host, alice);
    expect(await second.host.openOrRead(session.id, alice)).toMatchObject({ ok: true });
    const refused = { ok: false, error: { code: "session_not_found" } };
    expect(await second.host.openOrRead(session.id, bob)).toMatchObject(refused);
    expect(await second.host.delete(session.id, bob)).toMatchObject(refused);
  });

  test("is let go of when no one has asked for it for a while, and not before", async () => {
    const { first, second, clock } = openTestHosts({ leaseMs: 3_600_000 });
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const leave = followed.attach();
    await clock.advance(60_000);
    expect(followed.endReason).toBeUndefined();
    leave();
    await clock.advance(29_000);
    expect(await followedOn(second.host, session.id)).toBe(followed);
    await clock.advance(29_000);
    expect(followed.endReason).toBeUndefined();
    await clock.advance(1_000);
    expect(followed.endReason).toBe("released");
    expect(await followedOn(second.host, session.id)).not.toBe(followed);
  });

  test("ends there with its last event when it is deleted, and is gone", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const ended = endOf(followed.log);
    expect(await first.host.delete(session.id, admin)).toMatchObject({ ok: true });
    expect(await ended).toBe("closed");
    expect((await eventTypes(followed.log)).at(-1)).toBe("session_closed");
    const gone = { ok: false, error: { code: "session_not_found" } };
    expect(await second.host.openOrRead(session.id, admin)).toMatchObject(gone);
    expect(await followed.execute({ type: "interrupt" }, admin)).toMatchObject(gone);
  });

  test("is another one when it is deleted and recreated under its id", async () => {
    const { first, second } = openTestHosts();
    const made = await first.host.create({ session_id: "same", title: "old" }, admin);
    if (!made.ok) throw new Error(made.error.message);
    await made.value.record([draft("notice", { level: "info", text: "old" })]);
    const followed = await followedOn(second.host, "same");
    await first.host.delete("same", admin);
    const again = await first.host.create({ session_id: "same", title: "new" }, admin);
    if (!again.ok) throw new Error(again.error.message);
    for (const text of "abcdef")
      await again.value.record([draft("notice", { level: "info", text })]);
    const next = await followedOn(second.host, "same");
    expect(next.log.epoch).toBe(again.value.log.epoch);
    expect(await readAll(next.log)).toEqual(await readAll(again.value.log));
    const old = await readAll(followed.log);
    expect(old.at(-1)?.type).toBe("session_closed");
  });

  test("is sent on to this host when it takes the session, with nothing lost", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const ended = endOf(followed.log);
    await session.end({ type: "release" });
    const taken = await openedOn(second.host, session.id);
    expect(taken).toBeInstanceOf(Session);
    expect(await ended).toBe("released");
    expect(await followedOn(first.host, session.id)).toBeDefined();
  });

  test("is read from where retention has left off", async () => {
    const { first, second } = openTestHosts({ retainEvents: 10 });
    const session = await createTestSession(first.host);
    for (let index = 0; index < 60; index += 1) {
      await session.record([draft("notice", { level: "info", text: String(index) })]);
    }
    await trimmedOnce(session);
    const followed = await followedOn(second.host, session.id);
    expect(followed.log.oldest).toBeGreaterThan(1);
    expect(followed.control).toEqual(session.control);
    expect((await followed.snapshot()).state).toEqual((await session.snapshot()).state);
    expect(followed.log.verdict(0)).toMatchObject({ type: "gap" });
  });

  test("that is damaged is served as far as it is whole, as on a host of its own", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const { first, open } = openTestHosts({ store, clock });
    const session = await createTestSession(first.host);
    await session.execute({ type: "rename", title: "whole" }, admin);
    const range = { first: 2, last: 2 };
    const second = open({
      store: interceptStore(store, {
        read: async (id, after) => {
          if (after >= 1) throw new StoreError("damaged", "damaged", { range });
          return store.read(id, after, 1);
        },
      }),
    });
    const opened = await openedOn(second.host, session.id);
    expect(opened.info().damage).toEqual({ first_seq: 2, last_seq: 2 });
  });
});

/** Resolves when retention has removed something. */
async function trimmedOnce(session: Session): Promise<void> {
  while (session.log.oldest === 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
