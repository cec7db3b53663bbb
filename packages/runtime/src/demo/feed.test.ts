import { describe, expect, test } from "vitest";
import { DemoFeed } from "./feed.ts";

/** Counts up to `last` and remembers how far it was asked. */
function counter(last: number) {
  const seen = { asked: 0, isClosed: false };
  async function* count(): AsyncGenerator<number> {
    try {
      while (seen.asked < last) {
        seen.asked += 1;
        yield seen.asked;
      }
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, source: count() };
}

async function* broken(): AsyncGenerator<number> {
  yield 1;
  throw new Error("broken");
}

describe("DemoFeed", () => {
  test("asks a source for more only when the reader comes back", async () => {
    const { seen, source } = counter(1_000_000);
    const feed = new DemoFeed<number>();
    feed.add(source);
    const reader = feed[Symbol.asyncIterator]();
    for (let read = 1; read <= 3; read += 1) {
      expect(await reader.next()).toEqual({ done: false, value: read });
      expect(seen.asked).toBe(read);
    }
    feed.close();
  });

  test("joins sources and single items without losing one", async () => {
    const feed = new DemoFeed<number>();
    feed.push(0);
    feed.add(counter(3).source);
    feed.add(counter(3).source);
    const read: number[] = [];
    for await (const item of feed) {
      read.push(item);
      if (read.length === 7) break;
    }
    expect(read.toSorted((a, b) => a - b)).toEqual([0, 1, 1, 2, 2, 3, 3]);
  });

  test("wakes a reader that waits", async () => {
    const feed = new DemoFeed<string>();
    const next = feed[Symbol.asyncIterator]().next();
    feed.push("late");
    expect(await next).toEqual({ done: false, value: "late" });
  });

  test("ends a waiting reader and its sources when closed", async () => {
    const { seen, source } = counter(10);
    const feed = new DemoFeed<number>();
    const reader = feed[Symbol.asyncIterator]();
    feed.add(source);
    await reader.next();
    feed.close();
    expect(await reader.next()).toEqual({ done: true, value: undefined });
    expect(await source.next()).toEqual({ done: true, value: undefined });
    expect(seen.isClosed).toBe(true);
  });

  test("throws what a source throws, and is closed then", async () => {
    const feed = new DemoFeed<number>();
    feed.add(broken());
    const reader = feed[Symbol.asyncIterator]();
    await reader.next();
    await expect(reader.next()).rejects.toThrow("broken");
    expect(feed.isClosed).toBe(true);
  });

  test("is closed when its reader leaves", async () => {
    const { seen, source } = counter(10);
    const feed = new DemoFeed<number>();
    feed.add(source);
    for await (const _ of feed) break;
    expect(feed.isClosed).toBe(true);
    expect(await source.next()).toEqual({ done: true, value: undefined });
    expect(seen.isClosed).toBe(true);
  });
});
