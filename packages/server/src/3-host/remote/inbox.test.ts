import { type AppendBatch, type Store, StoreError } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import {
  interceptAppends,
  interceptStore,
} from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { readAll } from "../../test-support/log-reader.ts";
import { admin, createTestSession } from "../../test-support/test-host.ts";
import { followedOn, hushed, openedOn, openTestHosts } from "../../test-support/test-hosts.ts";
import type { OpenSession } from "../../../../wire/src/open-session.ts";
import type { SessionHostOptions } from "../creation/session-host-options.ts";

const rename = { type: "rename", title: "renamed" } as const;

/** Hosts of which the first does nothing more by itself once the test has it: no hint reaches it, and its clock stands still. */
function openHostsOneStill(options: Partial<SessionHostOptions> = {}) {
  const opened = openTestHosts(options);
  const still = opened.open({ clock: new ManualClock(), store: hushed(opened.store) });
  return { ...opened, still };
}

/** Lets time pass until something has happened. */
async function passing<Value>(clock: ManualClock, awaited: Promise<Value>): Promise<Value> {
  const waiting = Symbol("waiting");
  for (;;) {
    const passed = clock.advance(250).then(() => waiting);
    const outcome = await Promise.race([awaited, passed]);
    if (outcome !== waiting) return awaited;
  }
}

async function titlesOf(session: OpenSession): Promise<(string | null)[]> {
  return (await readAll(session.log)).flatMap((event) =>
    event.type === "session_updated" ? (event.data.title ?? []) : [],
  );
}

async function messageCount(session: OpenSession): Promise<number> {
  return (await readAll(session.log)).filter(({ type }) => type === "user_message").length;
}

describe("a command in the inbox", () => {
  test("is carried out by the host that takes over from one that died, once", async () => {
    const { still, second, clock } = openHostsOneStill();
    const session = await createTestSession(still.host);
    const followed = await followedOn(second.host, session.id);
    const before = clock.now();
    expect(await passing(clock, followed.execute(rename, admin))).toMatchObject({ ok: true });
    expect(clock.now() - before).toBeGreaterThanOrEqual(10_000);
    const taken = await openedOn(second.host, session.id);
    expect(taken.info().title).toBe("renamed");
    // The host that was thought dead comes back: it has lost the session.
    session.readInbox();
    expect(await session.execute({ type: "rename", title: "stale" }, admin)).toMatchObject({
      ok: false,
    });
    expect(await titlesOf(taken)).toEqual(["renamed"]);
  });

  test("waits for its host, and whoever sent it is answered that it is stored", async () => {
    const { still, second: sender, clock } = openHostsOneStill({ leaseMs: 3_600_000 });
    const session = await createTestSession(still.host);
    const followed = await followedOn(sender.host, session.id);
    const message = { type: "user_message", content: "later", client_message_id: "c1" } as const;
    const sent = await passing(clock, followed.execute(message, admin));
    if (!sent.ok) throw new Error(sent.error.message);
    expect(sent.value).toEqual({ seq: 1, isPending: true, messageId: expect.any(String) });
    expect(await messageCount(session)).toBe(0);
    expect(await passing(clock, followed.wake())).toMatchObject({ error: { code: "overloaded" } });
    expect(await passing(clock, followed.execute({ type: "fork" }, admin))).toMatchObject({
      error: { code: "command_lost", retryable: false },
    });
    session.readInbox();
    await still.runtime.sent(sent.value.messageId);
    expect(await messageCount(session)).toBe(1);
  });

  test("that its host had begun when it stopped is lost, and is not begun again", async () => {
    const { still, second, clock } = openHostsOneStill();
    const session = await createTestSession(still.host);
    expect(await session.wake()).toMatchObject({ ok: true });
    const run = await still.runtime.run();
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    run.compact = () => {
      begun();
      return new Promise(() => undefined);
    };
    const followed = await followedOn(second.host, session.id);
    const sent = followed.execute({ type: "compact" }, admin);
    // It is in the inbox once this is, too.
    const renamed = followed.execute(rename, admin);
    while ((await second.store.readInbox(session.id, 10)).length < 2) await clock.advance(0);
    session.readInbox();
    await isBegun;
    expect(await renamed).toMatchObject({ ok: true });
    expect(await passing(clock, sent)).toMatchObject({ error: { code: "command_lost" } });
    expect(second.runtime.runs).toEqual([]);
  });

  test.each([
    ["is not stored", false],
    ["is stored and not acknowledged", true],
  ])("has its effect once when what it does %s", async (_, isStored) => {
    const { store, open, second } = openTestHosts();
    let isFailing = true;
    const append = async (batch: AppendBatch, go: () => Promise<void>): Promise<void> => {
      if (!batch.answers || !isFailing) return go();
      isFailing = false;
      if (isStored) await go();
      throw new StoreError("unavailable", "the connection was lost");
    };
    const failing: Store = interceptAppends(store, append);
    const owner = open({ store: failing });
    const session = await createTestSession(owner.host);
    const followed = await followedOn(second.host, session.id);
    expect(await followed.execute(rename, admin)).toMatchObject({ ok: true });
    const next = await openedOn(second.host, session.id);
    expect(await titlesOf(next)).toEqual(["renamed"]);
    expect(isFailing).toBe(false);
  });

  test("that cannot be read is refused, and those after it are carried out", async () => {
    const { first, second, store } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const entries = [
      await store.putInboxEntry(session.id, "no JSON"),
      await store.putInboxEntry(session.id, JSON.stringify({ kind: "of a later version" })),
    ];
    expect(await followed.execute(rename, admin)).toMatchObject({ ok: true });
    for (const entry of entries) {
      const answer = JSON.parse((await store.findInboxAnswer(entry)) ?? "");
      expect(answer).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    }
  });

  test("is carried out however many there are, in order", async () => {
    const { first, second } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const titles = Array.from({ length: 250 }, (_, index) => String(index));
    const sent = titles.map((title) => followed.execute({ type: "rename", title }, admin));
    for (const result of await Promise.all(sent)) expect(result.ok).toBe(true);
    expect(await titlesOf(session)).toEqual(titles);
  });

  test.each(["before", "while", "after"] as const)(
    "is carried out by another host when its host lets go of the session %s it is sent",
    async (moment) => {
      const { first, second, clock } = openTestHosts();
      const session = await createTestSession(first.host);
      const followed = await followedOn(second.host, session.id);
      const end = () => session.end({ type: "release" });
      if (moment === "before") await end();
      const sent = followed.execute(rename, admin);
      if (moment === "while") await end();
      const answer = await passing(clock, sent);
      if (moment === "after") await end();
      expect(answer).toMatchObject({ ok: true });
      expect(await titlesOf(await openedOn(second.host, session.id))).toEqual(["renamed"]);
    },
  );

  test("is answered that there is no such session when it is deleted meanwhile", async () => {
    const { first, second, clock } = openTestHosts();
    const session = await createTestSession(first.host);
    const followed = await followedOn(second.host, session.id);
    const [deleted, ...others] = await passing(
      clock,
      Promise.all([
        first.host.delete(session.id, admin),
        ...Array.from({ length: 5 }, () => followed.execute(rename, admin)),
      ]),
    );
    expect(deleted).toMatchObject({ ok: true });
    const refusals = others.flatMap((other) => (other.ok ? [] : [other.error.code]));
    expect(new Set(refusals)).toEqual(new Set(["session_not_found"]));
  });

  test("is found by its host without a hint too", async () => {
    const { store, open, clock } = openTestHosts();
    const deaf = open({ store: hushed(store) });
    const sender = open();
    const session = await createTestSession(deaf.host);
    const followed = await followedOn(sender.host, session.id);
    const before = clock.now();
    expect(await passing(clock, followed.execute(rename, admin))).toMatchObject({ ok: true });
    expect(clock.now() - before).toBeLessThanOrEqual(2_000);
    expect(session.info().title).toBe("renamed");
  });

  test("is found without a hint in time by a host with many sessions, which asks once for all", async () => {
    const { store, open, clock } = openTestHosts();
    let looks = 0;
    const counting = interceptStore(hushed(store), {
      readInbox: (sessionId, limit) => {
        looks += 1;
        return store.readInbox(sessionId, limit);
      },
    });
    const [deaf, sender] = [open({ store: counting }), open()];
    for (let count = 0; count < 100; count += 1) await createTestSession(deaf.host);
    const session = await createTestSession(deaf.host);
    const followed = await followedOn(sender.host, session.id);
    const [before, looksBefore] = [clock.now(), looks];
    expect(await passing(clock, followed.execute(rename, admin))).toMatchObject({ ok: true });
    expect(clock.now() - before).toBeLessThanOrEqual(2_000);
    expect(looks - looksBefore).toBeLessThan(10);
  });

  test("stays stored when the host that took it closes", async () => {
    const { store, still, second: sender, clock } = openHostsOneStill({ leaseMs: 3_600_000 });
    const session = await createTestSession(still.host);
    const followed = await followedOn(sender.host, session.id);
    const sent = followed.execute(rename, admin);
    while ((await store.readInbox(session.id, 1)).length === 0) await clock.advance(0);
    await sender.host.close();
    expect(await sent).toMatchObject({ ok: true, value: { isPending: true } });
    expect(await store.readInbox(session.id, 5)).toHaveLength(1);
  });
});
