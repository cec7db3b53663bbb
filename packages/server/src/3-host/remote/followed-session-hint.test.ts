import { createMemoryStore, type Store, type StoreHint } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { endOf, eventWhere, readAll } from "../../test-support/log-reader.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { followedOn, hushed, openTestHosts } from "../../test-support/test-hosts.ts";

describe("a session that another host runs, when hints are lost or late,", () => {
  test("is as long for who comes back as on the host that runs it, also before a hint has come", async () => {
    const { store, first, open } = openTestHosts();
    const late = open({ store: hushed(store) });
    const session = await createTestSession(first.host);
    await followedOn(late.host, session.id);
    await session.execute({ type: "rename", title: "Newer" }, admin);
    const again = await followedOn(late.host, session.id);
    expect(again.log.head).toBe(session.log.head);
    expect(again.log.verdict(session.log.head)).toEqual(session.log.verdict(session.log.head));
  });

  test("is followed without hints too, by a look every second", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const { first, open } = openTestHosts({ store, clock });
    const deaf = open({ store: hushed(store) });
    const session = await createTestSession(first.host);
    const followed = await followedOn(deaf.host, session.id);
    await session.execute({ type: "rename", title: "new" }, admin);
    expect(followed.log.head).toBe(1);
    const heard = eventWhere(followed.log, ({ seq }) => seq === 2);
    await clock.advance(1_000);
    await heard;
    expect(followed.info().title).toBe("new");
  });

  test("is followed on when the hint that it was made comes late", async () => {
    const { store, clock, first, open } = openTestHosts();
    let hint: (hint: StoreHint) => void = () => undefined;
    const watch: Store["watch"] = (onHint) => {
      const before = hint;
      hint = (late) => {
        before(late);
        onHint(late);
      };
      return store.watch(onHint);
    };
    const { host } = open({ store: interceptStore(store, { watch }) });
    const session = await createTestSession(first.host);
    const followed = await followedOn(host, session.id);
    hint({ type: "created", sessionId: session.id });
    await session.execute({ type: "rename", title: "new" }, admin);
    await eventWhere(followed.log, ({ seq }) => seq === 2);
    await clock.advance(1_000);
    expect(followed.endReason).toBeUndefined();
  });

  test("is followed on when a poll answers with less than hints have shown meanwhile", async () => {
    const { store, clock, first, open } = openTestHosts();
    const session = await createTestSession(first.host);
    let polls = 0;
    const readHeads: Store["readHeads"] = async (sessionIds) => {
      const heads = await store.readHeads(sessionIds);
      polls += 1;
      await session.execute({ type: "rename", title: `poll ${polls}` }, admin);
      await eventWhere(followed.log, ({ seq }) => seq === session.log.head);
      return heads;
    };
    const { host } = open({ store: interceptStore(store, { readHeads }) });
    const followed = await followedOn(host, session.id);
    await clock.advance(1_000);
    await eventWhere(followed.log, ({ seq }) => seq > 1);
    await clock.advance(1_000);
    expect(polls).toBeGreaterThan(0);
    expect(followed.endReason).toBeUndefined();
  });

  test.each(["created", undefined])(
    "is not mixed with one recreated under its id when the only hint is %s",
    async (heard) => {
      const { first, open, store, clock } = openTestHosts();
      const { host } = open({ store: hushed(store, ({ type }) => type === heard) });
      const made = await first.host.create({ session_id: "same" }, admin);
      if (!made.ok) throw new Error(made.error.message);
      const followed = await followedOn(host, "same");
      const before = await readAll(followed.log);
      const ended = endOf(followed.log);
      await first.host.delete("same", admin);
      const again = await first.host.create({ session_id: "same" }, admin);
      if (!again.ok) throw new Error(again.error.message);
      await again.value.execute({ type: "rename", title: "another" }, admin);
      await clock.advance(1_000);
      expect(await ended).toBe("released");
      expect(await readAll(followed.log)).toEqual(before);
      expect((await followedOn(host, "same")).log.epoch).toBe(again.value.log.epoch);
    },
  );

  test("shows its readers nothing of one that somebody else has made under its id", async () => {
    const { first, open, store, clock } = openTestHosts();
    const reads: (() => void)[] = [];
    let isSlow = false;
    const read: Store["read"] = async (...query) => {
      if (isSlow) await new Promise<void>((resolve) => reads.push(resolve));
      return store.read(...query);
    };
    const late = hushed(store, ({ type }) => type === "events");
    const { host } = open({ store: interceptStore(late, { read }) });
    const [bob, eve] = ["bob", "eve"].map((id) => ({ id, isAdmin: false }));
    if (!bob || !eve) throw new Error("There are two people.");
    await first.host.create({ session_id: "same" }, bob);
    const opened = await host.openOrRead("same", bob);
    if (!opened.ok) throw new Error(opened.error.message);
    const { log } = opened.value;
    const before = await readAll(log);
    const ended = endOf(log);
    isSlow = true;
    await clock.advance(1);
    await first.host.delete("same", bob);
    const again = await first.host.create({ session_id: "same" }, eve);
    if (!again.ok) throw new Error(again.error.message);
    for (const title of ["one", "two"]) {
      await again.value.execute({ type: "rename", title }, eve);
    }
    isSlow = false;
    for (const answer of reads) answer();
    expect(await ended).toBe("released");
    expect(await readAll(log)).toEqual(before);
    expect(await host.openOrRead("same", bob)).toMatchObject({
      ok: false,
      error: { code: "session_not_found" },
    });
  });
});
