import { once } from "node:events";
import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { sse } from "./encoding/sse.ts";
import { encodeStored } from "./frame-log/frame-encoder.ts";
import { FrameLog } from "./frame-log/frame-log.ts";
import { native } from "../../../../wire/src/native/native.ts";
import { PlainLog } from "./frame-log/test-support/plain-log.ts";
import { writePace } from "./frame-log/write-pace.ts";
import type { FollowEnd, FrameSource } from "@turnwire/wire";
import { Subscriber } from "./subscriber.ts";

/** A socket whose kernel takes what the test lets it take. */
class SlowSocket extends Writable {
  bytesWritten = 0;
  text = "";
  isOpen = true;
  #pending: (() => void)[] = [];

  override write(chunk: Buffer): boolean {
    this.bytesWritten += chunk.length;
    return super.write(chunk);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const take = (): void => {
      this.text += chunk.toString();
      done();
    };
    if (this.isOpen) take();
    else this.#pending.push(take);
  }

  /** Takes one chunk that waits. */
  takeOne(): void {
    this.#pending.shift()?.();
  }

  open(): void {
    this.isOpen = true;
    while (this.#pending.length > 0) this.takeOne();
  }

  get ids(): number[] {
    return [...this.text.matchAll(/^id: ([0-9]+)$/gm)].map(([, id]) => Number(id));
  }
}

function framesOf(log: PlainLog): FrameSource {
  return new FrameLog({
    log,
    encode: encodeStored(native, sse, log.sessionId),
    ring: { maxEvents: 100, maxBytes: 1024 * 1024 },
    historyBytes: 1024 * 1024,
  });
}

function follow(log: PlainLog, after = 0) {
  return followFrames(framesOf(log), { after });
}

function followFrames(frames: FrameSource, { after = 0, isOpen = true } = {}) {
  const socket = new SlowSocket();
  socket.isOpen = isOpen;
  const ends: FollowEnd[] = [];
  let stalls = 0;
  const subscriber = new Subscriber({
    frames,
    after,
    socket,
    stallMs: 30_000,
    onBytes: () => undefined,
    onEnd: (reason) => ends.push(reason),
    onStall: () => {
      stalls += 1;
    },
  });
  subscriber.start();
  const beat = (count: number): void => {
    for (let index = 0; index < count; index++) subscriber.beat();
  };
  return { socket, subscriber, ends, beat, stalls: () => stalls };
}

/** Lets all work that is paced run: each turn of the loop does one part of it, however slow the machine is. */
async function tick(): Promise<void> {
  for (let count = 0; count < 20; count++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

const large = Array.from({ length: 50 }, () => "x".repeat(10_000));

describe("a subscriber", () => {
  test("gives everybody else a turn between two stretches of what is in memory", async () => {
    const log = new PlainLog();
    log.append(...Array.from({ length: 100 }, () => "x".repeat(20_000)));
    const { socket } = follow(log);
    // One stretch at most, or none yet where other readers have used up this tick.
    expect(socket.bytesWritten).toBeLessThan(600_000);
    await expect.poll(() => socket.ids).toHaveLength(100);
    expect(socket.ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  test("queues nothing while its socket takes nothing, and continues where it stopped", async () => {
    const log = new PlainLog();
    const { socket, stalls } = follow(log);
    socket.isOpen = false;
    log.append(...large);
    await tick();
    const held = socket.writableLength;
    expect(held).toBeLessThanOrEqual(64 * 1024);
    log.append(...large);
    await tick();
    expect(socket.writableLength).toBe(held);
    socket.open();
    await tick();
    expect(socket.ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(stalls()).toBe(0);
  });

  test("writes the rest of a frame before the next one, also when it is called before its turn", async () => {
    const texts = ["x".repeat(200_000), "y"];
    let call: () => number = () => 0;
    const source: FrameSource = {
      end: undefined,
      after: (seq) => {
        const text = texts[seq];
        if (text === undefined) return { type: "caught_up" };
        return { type: "frames", bytes: Buffer.from(text), last: seq + 1 };
      },
      subscribe: (listener) => {
        call = listener;
        return () => undefined;
      },
    };
    const { socket } = followFrames(source, { isOpen: false });
    // Where other readers have used up this tick, it begins in the next one.
    await expect.poll(() => socket.writableLength).toBeGreaterThan(0);
    // Something else has the turn, so what the socket could take now has to wait.
    writePace.later(() => false);
    const drained = once(socket, "drain");
    socket.isOpen = true;
    socket.takeOne();
    await drained;
    call();
    await expect.poll(() => socket.text.length).toBe(200_001);
    expect(socket.text).toBe(texts.join(""));
  });

  test("stalls when nothing is taken for 30 seconds", async () => {
    const log = new PlainLog();
    const { socket, beat, stalls } = follow(log);
    socket.isOpen = false;
    log.append(...large);
    await tick();
    beat(29);
    expect(stalls()).toBe(0);
    beat(1);
    expect(stalls()).toBe(1);
    beat(60);
    expect(stalls()).toBe(1);
    socket.open();
    await tick();
    expect(socket.ids.length).toBeLessThan(50);
  });

  test("stalls also when only a few bytes wait", async () => {
    const log = new PlainLog();
    const { socket, beat, stalls } = follow(log);
    socket.isOpen = false;
    log.append("small");
    await tick();
    beat(30);
    expect(stalls()).toBe(1);
  });

  test("does not stall while something is taken now and then", async () => {
    const log = new PlainLog();
    const { socket, beat, stalls } = follow(log);
    socket.isOpen = false;
    log.append(...large, ...large);
    await tick();
    for (let round = 0; round < 6; round++) {
      beat(28);
      socket.takeOne();
      await tick();
    }
    expect(stalls()).toBe(0);
    expect(socket.ids.length).toBeGreaterThan(5);
  });

  test("gets past a large event however slowly it reads, as long as it reads", async () => {
    const log = new PlainLog();
    const { socket, beat, stalls } = follow(log);
    socket.isOpen = false;
    log.append("x".repeat(2_000_000), "next");
    await tick();
    for (let round = 0; socket.ids.length < 2 && round < 40; round++) {
      expect(socket.writableLength).toBeLessThanOrEqual(64 * 1024);
      beat(29);
      socket.takeOne();
      await tick();
    }
    expect(socket.ids).toEqual([1, 2]);
    expect(stalls()).toBe(0);
  });

  test("stalls in the middle of a large event too", async () => {
    const log = new PlainLog();
    const { socket, beat, stalls } = follow(log);
    socket.isOpen = false;
    log.append("x".repeat(2_000_000));
    await tick();
    for (let round = 0; round < 5; round++) {
      beat(29);
      socket.takeOne();
      await tick();
    }
    beat(30);
    expect(stalls()).toBe(0);
    beat(1);
    expect(stalls()).toBe(1);
  });

  test("lets others write to its socket only between two frames", async () => {
    const log = new PlainLog();
    const { socket, subscriber } = follow(log);
    subscriber.writeBetween(() => void socket.write(Buffer.from(": one\n\n")));
    socket.isOpen = false;
    log.append("x".repeat(300_000), "y".repeat(300_000));
    await tick();
    subscriber.writeBetween(() => void socket.write(Buffer.from(": two\n\n")));
    subscriber.writeBetween(() => void socket.write(Buffer.from(": three\n\n")));
    socket.open();
    await tick();
    const shape = socket.text.replaceAll(/x+/g, "x").replaceAll(/y+/g, "y").split("\n\n");
    expect(shape.map((frame) => frame.slice(0, 7))).toEqual([
      ": one",
      "id: 1\ne",
      ": two",
      ": three",
      "id: 2\ne",
      "",
    ]);
  });

  test("ends when the log has ended and everything is written, not before", async () => {
    const log = new PlainLog();
    const { socket, ends } = follow(log);
    socket.isOpen = false;
    log.append(...large);
    log.end("closed");
    await tick();
    expect(ends).toEqual([]);
    socket.open();
    await tick();
    expect(ends).toEqual(["closed"]);
    expect(socket.ids.at(-1)).toBe(50);
  });

  test("is notified when retention has overtaken it, and when the log cannot be read", async () => {
    const trimmed = new PlainLog(0);
    trimmed.append(...large);
    trimmed.trimmed = 20;
    const overtaken = follow(trimmed, 5);
    await tick();
    expect(overtaken.ends).toEqual(["gone"]);
    const broken = new PlainLog(0);
    broken.append(...large);
    broken.isBroken = true;
    const failed = follow(broken);
    await tick();
    expect(failed.ends).toEqual(["failed"]);
  });

  test("that was stopped while the store was read writes nothing more", async () => {
    const log = new PlainLog(0);
    log.append(...large);
    const { socket, subscriber, ends } = follow(log);
    subscriber.stop();
    await tick();
    expect(socket.text).toBe("");
    expect(ends).toEqual([]);
  });
});
