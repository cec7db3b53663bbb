import { expect, test } from "vitest";
import { eventsFrom, HOLDER, newLog, refusalOf, type StoreFixture, TTL_MS } from "./fixture.ts";

/** Commands for whoever holds a session. */
export function inboxContract({ store, createPlace, capabilities }: StoreFixture): void {
  const bodiesOf = async (sessionId: string) =>
    (await store().readInbox(sessionId, 1000)).map((entry) => entry.body);

  test("entries wait in the order in which they were stored, each session's apart", async () => {
    const { sessionId } = await newLog(store(), 1);
    const other = await newLog(store(), 1);
    const bodies = Array.from({ length: 25 }, (_, index) => JSON.stringify({ index }));
    for (const body of bodies) {
      await store().putInboxEntry(sessionId, body);
      await store().putInboxEntry(other.sessionId, '"other"');
    }
    expect(await bodiesOf(sessionId)).toEqual(bodies);
    expect(await store().readInbox(sessionId, 3)).toMatchObject(
      bodies.slice(0, 3).map((body) => ({ body, sessionId })),
    );
    expect(await store().readInbox("unknown", 3)).toEqual([]);
  });

  test("a holder finds those of its sessions for which something waits, each once", async () => {
    const found = () => store().listWaitingInboxes(HOLDER);
    const [one, two, none] = [
      await newLog(store(), 1),
      await newLog(store(), 1),
      await newLog(store(), 1),
    ];
    const first = await store().putInboxEntry(one.sessionId, "1");
    const second = await store().putInboxEntry(one.sessionId, "2");
    await store().putInboxEntry(two.sessionId, "3");
    const ids = await found();
    expect(ids.filter((id) => id === one.sessionId)).toHaveLength(1);
    expect(ids).toContain(two.sessionId);
    expect(ids).not.toContain(none.sessionId);
    const answer = (entryId: string) =>
      store().answerInboxEntry(one.sessionId, one.generation, { entryId, result: "{}" });
    await answer(first);
    expect(await found()).toContain(one.sessionId);
    await answer(second);
    expect(await found()).not.toContain(one.sessionId);
    await store().deleteSession(two.sessionId, two.generation);
    expect(await found()).not.toContain(two.sessionId);
  });

  test.runIf(capabilities.shared)("a holder finds nothing that waits for others", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    await store().putInboxEntry(sessionId, "1");
    expect(await store().listWaitingInboxes("another")).not.toContain(sessionId);
    await store().releaseLease(sessionId, generation);
    expect(await store().listWaitingInboxes(HOLDER)).not.toContain(sessionId);
  });

  test("an entry is what was stored, whoever holds the session", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    await store().releaseLease(sessionId, generation);
    const body = JSON.stringify({ text: `\u0000 "ünï" 😀 ${"x".repeat(300_000)}` });
    const entryId = await store().putInboxEntry(sessionId, body);
    expect(await store().readInbox(sessionId, 10)).toStrictEqual([
      { entryId, sessionId, body, at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect(await store().findInboxAnswer(entryId)).toBeUndefined();
  });

  test("a session that there is not takes no entries", async () => {
    expect(await refusalOf(store().putInboxEntry("unknown", "{}"))).toBe("session_unknown");
    const { sessionId, generation } = await newLog(store(), 1);
    await store().deleteSession(sessionId, generation);
    expect(await refusalOf(store().putInboxEntry(sessionId, "{}"))).toBe("session_unknown");
  });

  test("an entry is answered once, and then does not wait any more", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const entryId = await store().putInboxEntry(sessionId, "1");
    await store().putInboxEntry(sessionId, "2");
    const result = JSON.stringify({ ok: "\u0000" });
    await store().answerInboxEntry(sessionId, generation, { entryId, result });
    expect(await store().findInboxAnswer(entryId)).toBe(result);
    expect(await bodiesOf(sessionId)).toEqual(["2"]);
    const again = store().answerInboxEntry(sessionId, generation, { entryId, result: "{}" });
    expect(await refusalOf(again)).toBe("entry_answered");
    expect(await refusalOf(store().beginInboxEntry(sessionId, generation, entryId))).toBe(
      "entry_answered",
    );
    expect(await store().findInboxAnswer(entryId)).toBe(result);
  });

  test("a batch answers entries together with its events, or does neither", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const other = await newLog(store(), 1);
    const first = await store().putInboxEntry(sessionId, "1");
    const second = await store().putInboxEntry(sessionId, "2");
    const foreign = await store().putInboxEntry(other.sessionId, "3");
    const answer = (entryId: string) => ({ entryId, result: JSON.stringify(entryId) });
    const batch = { sessionId, generation, events: eventsFrom(2, 2) };
    for (const answers of [
      [answer(first), answer(foreign)],
      [answer(first), answer(first)],
      [answer(first), answer("unknown")],
    ]) {
      expect(await refusalOf(store().append({ ...batch, answers }))).toBe("entry_answered");
    }
    const early = { ...batch, events: eventsFrom(3, 3), answers: [answer(first)] };
    expect(await refusalOf(store().append(early))).toBe("not_contiguous");
    expect(await bodiesOf(sessionId)).toEqual(["1", "2"]);
    expect((await store().getSession(sessionId))?.head).toBe(1);

    await store().append({ ...batch, answers: [answer(first), answer(second)] });
    expect(await store().findInboxAnswer(second)).toBe(JSON.stringify(second));
    expect(await bodiesOf(sessionId)).toEqual([]);
    expect((await store().getSession(sessionId))?.head).toBe(2);
    const late = { ...batch, events: eventsFrom(3, 3), answers: [answer(first)] };
    expect(await refusalOf(store().append(late))).toBe("entry_answered");
    expect((await store().getSession(sessionId))?.head).toBe(2);
  });

  test("a batch without events can answer too", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const entryId = await store().putInboxEntry(sessionId, "1");
    const answers = [{ entryId, result: "{}" }];
    await store().append({ sessionId, generation, events: [], answers });
    expect(await store().findInboxAnswer(entryId)).toBe("{}");
  });

  test("of many that answer one entry at once, one does", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const entryId = await store().putInboxEntry(sessionId, "1");
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        refusalOf(
          store().answerInboxEntry(sessionId, generation, { entryId, result: String(index) }),
        ),
      ),
    );
    expect(outcomes.filter((code) => code === undefined)).toHaveLength(1);
    expect(outcomes.filter((code) => code === "entry_answered")).toHaveLength(9);
    expect(await store().findInboxAnswer(entryId)).toBe(String(outcomes.indexOf(undefined)));
  });

  test("a stale generation neither begins nor answers, and the next one sees what was begun", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const entryId = await store().putInboxEntry(sessionId, "1");
    await store().beginInboxEntry(sessionId, generation, entryId);
    const lease = await store().acquireLease({ sessionId, holder: HOLDER, ttlMs: TTL_MS });
    const begin = store().beginInboxEntry(sessionId, generation, entryId);
    expect(await refusalOf(begin)).toBe("lease_lost");
    const answer = { entryId, result: "{}" };
    expect(await refusalOf(store().answerInboxEntry(sessionId, generation, answer))).toBe(
      "lease_lost",
    );
    expect(await store().readInbox(sessionId, 10)).toMatchObject([{ begunIn: generation }]);
    await store().answerInboxEntry(sessionId, lease?.generation ?? 0, answer);
    expect(await store().findInboxAnswer(entryId)).toBe("{}");
  });

  test("the generation that deleted a session can still answer, and its answers are found", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const early = await store().putInboxEntry(sessionId, "1");
    const late = await store().putInboxEntry(sessionId, "2");
    await store().answerInboxEntry(sessionId, generation, { entryId: early, result: "1" });
    await store().deleteSession(sessionId, generation);
    expect(await store().readInbox(sessionId, 10)).toEqual([]);
    const foreign = { entryId: late, result: "no" };
    expect(await refusalOf(store().answerInboxEntry(sessionId, generation + 1, foreign))).toBe(
      "session_unknown",
    );
    await store().answerInboxEntry(sessionId, generation, { entryId: late, result: "2" });
    expect(await store().findInboxAnswer(early)).toBe("1");
    expect(await store().findInboxAnswer(late)).toBe("2");
  });

  test("a new session with the id of a deleted one has an empty inbox", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const entryId = await store().putInboxEntry(sessionId, "1");
    const record = await store().getSession(sessionId);
    if (!record) throw new Error("the session is not there");
    await store().deleteSession(sessionId, generation);
    const lease = await store().createSession(record, HOLDER, TTL_MS);
    expect(await store().readInbox(sessionId, 10)).toEqual([]);
    const answer = { entryId, result: "{}" };
    const work = store().answerInboxEntry(sessionId, lease.generation, answer);
    expect(await refusalOf(work)).toBe("entry_answered");
  });

  test("answers are removed when they are old, entries that wait are not", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const answered = await store().putInboxEntry(sessionId, "1");
    await store().putInboxEntry(sessionId, "2");
    await store().answerInboxEntry(sessionId, generation, { entryId: answered, result: "{}" });
    await store().purgeDeleted(60_000);
    expect(await store().findInboxAnswer(answered)).toBe("{}");
    await store().purgeDeleted(0);
    expect(await store().findInboxAnswer(answered)).toBeUndefined();
    expect(await bodiesOf(sessionId)).toEqual(["2"]);
  });

  test.runIf(capabilities.durable)("entries and answers outlive the store's closing", async () => {
    const place = await createPlace();
    const first = await place.open();
    const { sessionId, generation } = await newLog(first, 1);
    const answered = await first.putInboxEntry(sessionId, "1");
    await first.putInboxEntry(sessionId, "2");
    const begun = await first.putInboxEntry(sessionId, "3");
    await first.answerInboxEntry(sessionId, generation, { entryId: answered, result: "yes" });
    await first.beginInboxEntry(sessionId, generation, begun);
    await first.close();
    const second = await place.open();
    expect(await second.findInboxAnswer(answered)).toBe("yes");
    const entries = await second.readInbox(sessionId, 10);
    expect(entries).toMatchObject([{ body: "2" }, { body: "3", begunIn: generation }]);
    expect(entries[0]).not.toHaveProperty("begunIn");
    await second.close();
    await place.remove();
  });
}
