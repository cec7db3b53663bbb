import { randomUUID } from "node:crypto";
import type { SharedValues, Slot, Store } from "@turnwire/log";
import { expect, test } from "vitest";
import { lapse, type StoreFixture, TTL_MS } from "./fixture.ts";

/** Small things that all hosts have in common. */
export function valueContract({ store, createPlace, capabilities }: StoreFixture): void {
  const values = (): SharedValues => store().values;
  const newKey = () => `contract/${randomUUID()}`;
  const many = <Result>(work: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: 10 }, (_, index) => work(index)));

  test("a value is what was last written, until it is taken", async () => {
    const key = newKey();
    expect(await values().readValue(key)).toBeUndefined();
    const text = JSON.stringify({ text: '"ünï" 😀', long: "x".repeat(100_000) });
    expect(await values().writeValue(key, "first")).toBe(true);
    expect(await values().writeValue(key, text)).toBe(true);
    expect(await values().readValue(key)).toBe(text);
    expect(await values().takeValue(key)).toBe(text);
    expect(await values().takeValue(key)).toBeUndefined();
    expect(await values().readValue(key)).toBeUndefined();
    await values().writeValue(key, "");
    expect(await values().readValue(key)).toBe("");
  });

  test("of many that take a value at once, one gets it", async () => {
    const key = newKey();
    await values().writeValue(key, "code");
    const taken = await many(() => values().takeValue(key));
    expect(taken.filter((value) => value !== undefined)).toEqual(["code"]);
  });

  test("a value is written only while it is what the writer expects", async () => {
    const key = newKey();
    expect(await values().writeValue(key, "one", { onlyIf: "zero" })).toBe(false);
    expect(await values().readValue(key)).toBeUndefined();
    expect(await values().writeValue(key, "one", { onlyIf: null })).toBe(true);
    expect(await values().writeValue(key, "two", { onlyIf: null })).toBe(false);
    expect(await values().writeValue(key, "two", { onlyIf: "other" })).toBe(false);
    expect(await values().writeValue(key, "two", { onlyIf: "one" })).toBe(true);
    expect(await values().readValue(key)).toBe("two");
  });

  test("of many that write a value only if there is none, one does, and all can read it", async () => {
    const key = newKey();
    const written = await many((index) =>
      values().writeValue(key, String(index), { onlyIf: null }),
    );
    expect(written.filter(Boolean)).toHaveLength(1);
    expect(await values().readValue(key)).toBe(String(written.indexOf(true)));
  });

  test("a value is gone when its time is up, as if it had never been", async () => {
    const key = newKey();
    await values().writeValue(key, "short", { ttlMs: 1 });
    await expect.poll(() => values().readValue(key), { interval: 1 }).toBeUndefined();
    expect(await values().takeValue(key)).toBeUndefined();
    expect(await values().listValues(key)).toEqual(new Map());
    expect(await values().writeValue(key, "next", { onlyIf: null })).toBe(true);
    expect(await values().readValue(key)).toBe("next");
  });

  test("a value that is written again gets its full time again", async () => {
    const key = newKey();
    await values().writeValue(key, "short", { ttlMs: 1 });
    await values().writeValue(key, "long", { ttlMs: TTL_MS });
    await lapse(store(), randomUUID());
    expect(await values().readValue(key)).toBe("long");
    await values().writeValue(key, "for ever");
    expect(await values().readValue(key)).toBe("for ever");
  });

  test("values are listed by prefix, which is not a pattern", async () => {
    const prefix = `${newKey()}/a_%`;
    const expected = new Map([
      [prefix, "0"],
      [`${prefix}/1`, "1"],
      [`${prefix}/2`, "2"],
    ]);
    for (const [key, value] of [...expected].toReversed()) await values().writeValue(key, value);
    await values().writeValue(prefix.replace("_", "b"), "other");
    await values().writeValue(prefix.replace("%", "b"), "other");
    const listed = await values().listValues(prefix);
    expect([...listed]).toEqual([...expected]);
    expect(await values().listValues(newKey())).toEqual(new Map());
  });

  test("a counter counts what is added until its time is up, then starts over", async () => {
    const key = newKey();
    expect(await values().count(key, TTL_MS, 0)).toEqual({ count: 0, resetInMs: 0 });
    const counted = await many(() => values().count(key, TTL_MS));
    expect(counted.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ]);
    const { count, resetInMs } = await values().count(key, TTL_MS, 5);
    expect(count).toBe(15);
    expect(resetInMs).toBeGreaterThan(0);
    expect(resetInMs).toBeLessThanOrEqual(TTL_MS);
    expect((await values().count(key, TTL_MS, 0)).count).toBe(15);

    const short = newKey();
    await values().count(short, 1, 3);
    await expect
      .poll(async () => (await values().count(short, TTL_MS, 0)).count, { interval: 1 })
      .toBe(0);
    expect((await values().count(short, TTL_MS)).count).toBe(1);
    expect(await values().readValue(key)).toBeUndefined();
  });

  test("a pool gives no more slots than its limit, and takes them back", async () => {
    const pool = newKey();
    const [first, second] = [randomUUID(), randomUUID()];
    const slotOf = (holder: string): Slot => ({ id: randomUUID(), holder });
    await Promise.all([first, second].map((holder) => store().renewHolder(holder, TTL_MS)));
    const slots = Array.from({ length: 10 }, (_, index) => slotOf(index % 2 ? first : second));
    const taken = await Promise.all(slots.map((slot) => values().takeSlot(pool, slot, 3)));
    expect(taken.filter(Boolean)).toHaveLength(3);
    const mine = slots.find((_slot, index) => taken[index]);
    const other = slots.find((_slot, index) => !taken[index]);
    if (!mine || !other) throw new Error("no slot was taken");
    // A host that does not know whether it was taken takes it again, or gives it back in any case.
    expect(await values().takeSlot(pool, mine, 3)).toBe(true);
    await values().releaseSlot(pool, other.id);
    expect(await values().takeSlot(pool, other, 3)).toBe(false);
    await values().releaseSlot(pool, mine.id);
    await values().releaseSlot(pool, mine.id);
    expect(await values().takeSlot(pool, other, 3)).toBe(true);
    expect(await values().takeSlot(pool, slotOf(second), 3)).toBe(false);
    expect(await values().takeSlot(pool, slotOf(second), 4)).toBe(true);
    expect(await values().takeSlot(newKey(), slotOf(second), 1)).toBe(true);
    await values().releaseSlot(newKey(), mine.id);
  });

  test("watchers hear of a slot that was given back", async () => {
    const pool = newKey();
    const slot = { id: randomUUID(), holder: randomUUID() };
    await store().renewHolder(slot.holder, TTL_MS);
    await values().takeSlot(pool, slot, 1);
    const heard = new Promise<void>((resolve) => {
      const stop = store().watch((hint) => {
        if (hint.type !== "value" || hint.key !== `slot/${pool}`) return;
        stop();
        resolve();
      });
    });
    await values().releaseSlot(pool, slot.id);
    await heard;
    expect(await values().takeSlot(pool, slot, 1)).toBe(true);
  });

  test("the slots of holders that died or left are free", async () => {
    const pool = newKey();
    const [dead, left, next] = [randomUUID(), randomUUID(), randomUUID()];
    const take = (holder: string) => values().takeSlot(pool, { id: randomUUID(), holder }, 2);
    for (const holder of [dead, left, next]) await store().renewHolder(holder, TTL_MS);
    expect(await take(dead)).toBe(true);
    expect(await take(left)).toBe(true);
    expect(await take(next)).toBe(false);
    await lapse(store(), dead);
    expect(await take(next)).toBe(true);
    expect(await take(next)).toBe(false);
    await store().removeHolder(left);
    expect(await take(next)).toBe(true);
    expect(await take(next)).toBe(false);
  });

  test.runIf(capabilities.shared)("all that have the store open have the same", async () => {
    const place = await createPlace();
    const stores: Store[] = [await place.open(), await place.open()];
    const [first, second] = stores.map((opened) => opened.values);
    if (!first || !second) throw new Error("the store did not open");
    await first.writeValue("key", "value");
    expect(await second.readValue("key")).toBe("value");
    expect(await second.takeValue("key")).toBe("value");
    expect(await first.readValue("key")).toBeUndefined();
    await first.count("counter", TTL_MS);
    expect((await second.count("counter", TTL_MS)).count).toBe(2);
    await stores[0]?.renewHolder("host-a", TTL_MS);
    expect(await first.takeSlot("pool", { id: "a", holder: "host-a" }, 1)).toBe(true);
    expect(await second.takeSlot("pool", { id: "b", holder: "host-b" }, 1)).toBe(false);
    await Promise.all(stores.map((opened) => opened.close()));
    await place.remove();
  });
}
