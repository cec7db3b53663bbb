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
});
