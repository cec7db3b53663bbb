import { describe, expect, test } from "vitest";
import { MessageQueue } from "./message-queue.ts";

async function readAll<Item>(queue: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of queue) items.push(item);
  return items;
}

describe("a message queue", () => {
  test("gives what was pushed, before and while it is read, in order", async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    const reading = readAll(queue);
    queue.push(2);
    await Promise.resolve();
    queue.push(3);
    queue.end();
    expect(await reading).toEqual([1, 2, 3]);
  });

  test("gives what came before the failure, then the failure", async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    queue.fail(new Error("gone"));
    const iterator = queue[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ value: 1, done: false });
    await expect(iterator.next()).rejects.toThrow("gone");
  });

  test("takes nothing after its end", async () => {
    const queue = new MessageQueue<number>();
    queue.end();
    queue.push(1);
    queue.fail(new Error("late"));
    expect(queue.isEnded).toBe(true);
    expect(await readAll(queue)).toEqual([]);
  });

  test("is full when many messages wait, or large ones, and has room when they were read", async () => {
    for (const message of ["x", "x".repeat(1_000_000)]) {
      const queue = new MessageQueue<string>();
      const reader = queue[Symbol.asyncIterator]();
      let pushed = 0;
      for (; !queue.isFull; pushed += 1) queue.push(message);
      expect(pushed * message.length).toBeLessThan(5_000_001);
      let hasRoom = false;
      const room = queue.room().then(() => {
        hasRoom = true;
      });
      await Promise.resolve();
      expect(hasRoom).toBe(false);
      await reader.next();
      await room;
      expect(queue.isFull).toBe(false);
    }
  });

  test("holds no writer back once it has ended", async () => {
    const queue = new MessageQueue<string>();
    for (let count = 0; count < 2000; count += 1) queue.push("x");
    const room = queue.room();
    queue.end();
    await room;
    await queue.room();
    expect(queue.isFull).toBe(false);
  });
});

describe("what was pushed", () => {
  test("is taken when the reader asks for more, not when it was handed out", async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    let isTaken = false;
    const taken = queue.taken().then(() => (isTaken = true));
    const iterator = queue[Symbol.asyncIterator]();
    await iterator.next();
    await Promise.resolve();
    expect(isTaken).toBe(false);
    const next = iterator.next();
    await taken;
    await queue.taken();
    queue.end();
    await next;
  });

  test("is waited for no longer than the queue lives", async () => {
    const queue = new MessageQueue<number>();
    queue.push(1);
    const taken = queue.taken();
    queue.end();
    await expect(taken).resolves.toBeUndefined();
  });
});
