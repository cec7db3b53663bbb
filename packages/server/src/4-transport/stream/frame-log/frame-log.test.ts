import { setImmediate } from "node:timers/promises";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sse } from "../encoding/sse.ts";
import { encodeStored } from "./frame-encoder.ts";
import type { FrameRead } from "@turnwire/wire";
import { FrameLog } from "./frame-log.ts";
import { native } from "../../../../../wire/src/native/native.ts";
import { PlainLog } from "./test-support/plain-log.ts";

function framesOf(log: PlainLog, limits: { maxEvents?: number; maxBytes?: number } = {}) {
  const { maxEvents = 1024, maxBytes = 4 * 1024 * 1024 } = limits;
  const encode = encodeStored(native, sse, log.sessionId);
  return new FrameLog({ log, encode, ring: { maxEvents, maxBytes }, historyBytes: maxBytes });
}

/** All frames after a seq, read as a subscriber reads them. */
async function readAll(frames: Pick<FrameLog<never>, "after">, after: number): Promise<string> {
  const runs: Buffer[] = [];
  let cursor = after;
  for (;;) {
    const read: FrameRead = await frames.after(cursor);
    if (read.type !== "frames") return Buffer.concat(runs).toString();
    expect(read.last).toBeGreaterThan(cursor);
    runs.push(read.bytes);
    cursor = read.last;
  }
}

function expected(log: PlainLog, after: number): string {
  return log.events
    .slice(after)
    .map((event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${event.json}\n\n`)
    .join("");
}

describe("a log in frames", () => {
  test("gives every reader exactly the frames after its cursor, from the ring, from memory and from the store", async () => {
    const batch = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          before: batch,
          live: fc.array(batch, { maxLength: 5 }),
          memory: fc.integer({ min: 0, max: 60 }),
          maxEvents: fc.integer({ min: 1, max: 50 }),
          maxBytes: fc.integer({ min: 1, max: 300_000 }),
          cursor: fc.double({ min: 0, max: 1, noNaN: true }),
        }),
        async ({ before, live, memory, maxEvents, maxBytes, cursor }) => {
          const log = new PlainLog(memory);
          log.append(...before.map((length) => "x".repeat(length)));
          const frames = framesOf(log, { maxEvents, maxBytes });
          for (const lengths of live) log.append(...lengths.map((length) => "y".repeat(length)));
          const after = Math.floor(cursor * log.head);
          expect(await readAll(frames, after)).toBe(expected(log, after));
          expect(await readAll(frames, 0)).toBe(expected(log, 0));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("bytes that were handed out never change while the log grows", async () => {
    const log = new PlainLog(0);
    const frames = framesOf(log, { maxEvents: 4, maxBytes: 1 });
    const held: { bytes: Buffer; text: string }[] = [];
    for (let count = 0; count < 300; count++) {
      log.append(`event ${count}`);
      const read = await frames.after(count);
      if (read.type === "frames") held.push({ bytes: read.bytes, text: read.bytes.toString() });
    }
    expect(held).toHaveLength(300);
    for (const { bytes, text } of held) expect(bytes.toString()).toBe(text);
  });

  test("readers at the same place share the same bytes", () => {
    const log = new PlainLog();
    const frames = framesOf(log);
    log.append("one", "two");
    const first = frames.after(0);
    const second = frames.after(0);
    expect(first).toMatchObject({ type: "frames", last: 2 });
    expect(second).toBe(first);
  });

  test("what memory holds is read at once, what only the store holds by one shared read", async () => {
    const log = new PlainLog(5);
    log.append(...Array.from({ length: 300 }, (_, index) => `event ${index}`));
    const frames = framesOf(log);
    expect(frames.after(298)).toMatchObject({ type: "frames", last: 300 });
    expect(log.reads).toEqual([]);
    const together = [0, 0, 7, 60].map((after) => frames.after(after));
    expect(together.every((read) => read instanceof Promise)).toBe(true);
    const first = await together[0];
    expect(first).toMatchObject({ type: "frames", last: expect.any(Number) });
    const last = first?.type === "frames" ? first.last : 0;
    expect(last).toBeGreaterThan(60);
    for (const read of together) expect(await read).toMatchObject({ type: "frames", last });
    expect(log.reads).toEqual([0]);
    await frames.after(30);
    expect(log.reads).toEqual([0]);
  });

  test("a replay reads each large event from the store once, whatever their sizes", async () => {
    const log = new PlainLog(0);
    const sizes = Array.from(
      { length: 300 },
      (_, index) => [100_000, 30_000, 10, 600_000][index % 4],
    );
    log.append(...sizes.map((size) => "x".repeat(size ?? 0)));
    const total = log.events.reduce((sum, event) => sum + event.json.length, 0);
    const frames = framesOf(log, { maxBytes: 2 * 1024 * 1024 });
    expect(await readAll(frames, 0)).toBe(expected(log, 0));
    expect(log.bytesRead).toBe(total);
    expect(new Set(log.reads).size).toBe(log.reads.length);
  });

  test("readers that run along each other share what is read; one in the middle costs one page more", async () => {
    const log = new PlainLog(0);
    log.append(...Array.from({ length: 250 }, () => "x".repeat(100_000)));
    const total = log.events.reduce((sum, event) => sum + event.json.length, 0);
    const frames = framesOf(log, { maxBytes: 2 * 1024 * 1024 });
    const readers = [0, 0, 1, 2, 0].map((after) => readAll(frames, after));
    for (const text of await Promise.all(readers)) expect(text.length).toBeGreaterThan(total * 0.9);
    expect(log.bytesRead).toBeLessThan(total * 1.1);
    log.bytesRead = 0;
    expect(await readAll(frames, 200)).toBe(expected(log, 200));
    expect(log.bytesRead).toBeLessThan(total * 0.2 + 300_000);
  });

  test("an event larger than all that is kept is read once for all who wait for it", async () => {
    const log = new PlainLog(0);
    log.append("x".repeat(5_000_000), "y");
    const frames = framesOf(log, { maxBytes: 1000 });
    for (const read of [0, 0, 0].map((after) => frames.after(after))) await read;
    expect(await frames.after(0)).toMatchObject({ type: "frames", last: 1 });
    expect(log.reads).toEqual([0]);
  });

  test("one run holds at most 64 KiB, except that a larger frame comes whole", () => {
    const log = new PlainLog();
    const frames = framesOf(log);
    log.append(
      "small",
      "x".repeat(200_000),
      ...Array.from({ length: 100 }, () => "y".repeat(2_000)),
    );
    const sizes: number[] = [];
    for (let cursor = 0; cursor < log.head;) {
      const read = frames.after(cursor);
      if (read instanceof Promise || read.type !== "frames") throw new Error("not in memory");
      sizes.push(read.bytes.length);
      cursor = read.last;
    }
    expect(sizes.filter((size) => size > 65_536)).toHaveLength(1);
    expect(sizes.length).toBeLessThan(8);
  });

  test("a reader that retention has overtaken is notified instead of skipping events", async () => {
    const log = new PlainLog(10);
    log.append(...Array.from({ length: 400 }, () => "x"));
    const frames = framesOf(log);
    log.trimmed = 100;
    expect(await frames.after(50)).toEqual({ type: "gone" });
    expect(await frames.after(100)).toMatchObject({ type: "frames" });
  });

  test("a failed read reaches the reader, and the next reader tries again", async () => {
    const log = new PlainLog(0);
    log.append("one");
    const frames = framesOf(log);
    log.isBroken = true;
    await expect(frames.after(0)).rejects.toThrow("no disk");
    log.isBroken = false;
    expect(await frames.after(0)).toMatchObject({ type: "frames", last: 1 });
  });

  test("what a live reader lags behind with is not read again; what all have is let go", async () => {
    const log = new PlainLog(0);
    const frames = framesOf(log, { maxEvents: 1 });
    let cursor = 0;
    let wake: () => void = () => undefined;
    frames.subscribe(() => {
      wake();
      return cursor;
    });
    const appended = async (): Promise<void> => {
      const notified = new Promise<void>((resolve) => {
        wake = resolve;
      });
      log.append(...Array.from({ length: 10 }, () => "x".repeat(20_000)));
      await notified;
    };
    await appended();
    expect(frames.after(0)).toMatchObject({ type: "frames" });
    cursor = 20;
    await appended();
    expect(frames.after(0)).toBeInstanceOf(Promise);
  });

  test("notifies every listener of what comes while a round of many listeners takes several ticks", async () => {
    const log = new PlainLog();
    const frames = framesOf(log);
    let ticks = 0;
    const seen = Array.from({ length: 40 }, () => ({ head: 0, isEnded: false }));
    for (const reader of seen) {
      frames.subscribe(() => {
        const startedAt = performance.now();
        while (performance.now() - startedAt < 1);
        reader.head = log.head;
        reader.isEnded = frames.end !== undefined;
        return log.head;
      });
    }
    log.append("one");
    while (seen[0]?.head !== 1) await setImmediate();
    expect(seen.at(-1)?.head).toBe(0);
    log.append("two");
    log.end("closed");
    while (seen.some(({ head, isEnded }) => head < 2 || !isEnded)) {
      ticks += 1;
      await setImmediate();
    }
    expect(ticks).toBeGreaterThan(2);
  });

  test("notifies its listeners once for all that one tick brought, and once more at the end", async () => {
    const log = new PlainLog();
    const frames = framesOf(log);
    const seen: number[] = [];
    let wake: () => void = () => undefined;
    frames.subscribe(() => {
      seen.push(log.head);
      wake();
      return log.head;
    });
    const notified = (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
      });
    log.append("one");
    log.append("two");
    await notified();
    for (let tick = 0; tick < 3; tick++) await setImmediate();
    expect(seen).toEqual([2]);
    log.end("closed");
    await notified();
    expect(frames.end).toBe("closed");
  });
});
