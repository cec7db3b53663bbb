import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  HOLDER,
  newLog,
  refusalOf,
  type StoreFixture,
  TTL_MS,
} from "./fixture.ts";

/** Trimming and deleting. */
export function retentionContract({ store }: StoreFixture): void {
  test("a trim removes the events up to its base and leaves the base in their place", async () => {
    const { sessionId, generation } = await newLog(store(), 10);
    expect(await store().readBase(sessionId)).toBeUndefined();
    const base = baseAt(4, { text: "a\0b 😀 \ud800", list: [1, 2] });
    await store().trim(sessionId, generation, base);
    expect(await store().readBase(sessionId)).toStrictEqual(base);
    expect(await store().getSession(sessionId)).toMatchObject({ head: 10, trimmed: 4 });
    for (const after of [0, 3, 4]) {
      expect(await store().read(sessionId, after, 3)).toStrictEqual(eventsFrom(5, 7));
    }
    expect(await store().read(sessionId, 9, 3)).toStrictEqual(eventsFrom(10, 10));
    await store().append({ sessionId, generation, events: eventsFrom(11, 11) });
    expect(await store().read(sessionId, 0, 100)).toStrictEqual(eventsFrom(5, 11));
  });

  test("a later trim replaces the base; a log may be trimmed to its head", async () => {
    const { sessionId, generation } = await newLog(store(), 5);
    await store().trim(sessionId, generation, baseAt(2, "first"));
    await store().trim(sessionId, generation, baseAt(5, "second"));
    expect(await store().readBase(sessionId)).toStrictEqual(baseAt(5, "second"));
    expect(await store().read(sessionId, 0, 100)).toStrictEqual([]);
    await store().append({ sessionId, generation, events: eventsFrom(6, 6) });
    expect(await store().read(sessionId, 5, 100)).toStrictEqual(eventsFrom(6, 6));
    const lease = await store().acquireLease({ sessionId, holder: HOLDER, ttlMs: TTL_MS });
    expect(lease?.record).toMatchObject({ head: 6, trimmed: 5 });
  });

  test.for([1, 6])("a trim to %i, outside what is kept, is refused", async (seq) => {
    const { sessionId, generation } = await newLog(store(), 5);
    await store().trim(sessionId, generation, baseAt(2));
    expect(await refusalOf(store().trim(sessionId, generation, baseAt(seq)))).toBe(
      "not_contiguous",
    );
    expect(await store().readBase(sessionId)).toStrictEqual(baseAt(2));
    expect(await store().read(sessionId, 0, 100)).toStrictEqual(eventsFrom(3, 5));
  });

  test("an input stays known when its event is trimmed", async () => {
    const { sessionId, generation } = await newLog(store(), 0);
    const input = { clientMessageId: "c1", seq: 1, digest: "d" };
    await store().append({ sessionId, generation, events: eventsFrom(1, 3), inputs: [input] });
    await store().trim(sessionId, generation, baseAt(3));
    expect(await store().findInput(sessionId, "c1")).toStrictEqual(input);
  });
}
