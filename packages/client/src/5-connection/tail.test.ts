import { describe, expect, test } from "vitest";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { closed, placed, ready, sampleLog } from "../test-support/sample-event.ts";
import { ClientError } from "./client-error.ts";
import type { StreamVerdict } from "./connection-state.ts";
import type { StreamReceiver } from "./stream.ts";
import { tail } from "./tail.ts";

const log = sampleLog(9);
const verdict: StreamVerdict = { hasKeepalive: true };

/** Reads a log from streams that the test plays by hand. */
function setUp(signal?: AbortSignal) {
  const manual = new ManualPlatform();
  const receivers: StreamReceiver[] = [];
  let released = 0;
  const events = tail({
    platform: manual.platform,
    from: { after: 0, onGap: "fail" },
    openStream: (_cursor, receiver) => {
      receivers.push(receiver);
      return () => {
        released += 1;
      };
    },
    takeSnapshot: () => Promise.reject(new Error("a raw tail takes no snapshot")),
    signal,
  });
  const newest = (): StreamReceiver => {
    const receiver = receivers.at(-1);
    if (!receiver) throw new Error("no stream was opened");
    return receiver;
  };
  return { manual, events, newest, receivers, released: () => released };
}

describe("a raw tail", () => {
  test("opens nothing before it is read", () => {
    expect(setUp().receivers).toHaveLength(0);
  });

  test("ends when the session is closed", async () => {
    const { events, newest } = setUp();
    const reading = collect(events);
    await newest().opened(verdict);
    const all = placed([ready, closed]);
    await Promise.race([newest().received({ events: all }), reading]);
    expect(await reading).toEqual(all);
  });

  test("holds the stream while its reader does not read on", async () => {
    const { events, newest } = setUp();
    const first = events.next();
    await newest().opened(verdict);
    await newest().received({ events: log.slice(0, 3) });
    expect((await first).value).toMatchObject({ seq: 1 });
    let isReady = false;
    const second = newest()
      .received({ events: log.slice(3, 6) })
      .then(() => (isReady = true));
    await new Promise(setImmediate);
    expect(isReady).toBe(false);
    const seqs: (number | undefined)[] = [];
    for (let count = 0; count < 3; count++) seqs.push((await events.next()).value?.seq);
    await second;
    expect(seqs).toEqual([2, 3, 4]);
    await events.return();
  });

  test("loses nothing when the connection is reopened while its reader is slow", async () => {
    const { events, newest, manual } = setUp();
    const first = events.next();
    await newest().opened(verdict);
    await newest().received({ events: log.slice(0, 1) });
    await first;
    const slow = newest().received({ events: log.slice(1, 3) });
    manual.hint("offline");
    manual.hint("online");
    const opening = newest().opened(verdict);
    const more = newest().received({ events: log.slice(3, 5) });
    const seqs: (number | undefined)[] = [];
    for (let count = 0; count < 4; count++) seqs.push((await events.next()).value?.seq);
    await Promise.all([slow, opening, more]);
    expect(seqs).toEqual([2, 3, 4, 5]);
    await events.return();
  });

  test("stops following when its reader leaves", async () => {
    const { events, newest, released, manual } = setUp();
    const first = events.next();
    await newest().opened(verdict);
    await newest().received({ events: log });
    await first;
    await events.return();
    expect(released()).toBeGreaterThan(0);
    expect(manual.timerCount).toBe(0);
  });

  test("throws where the log cannot be followed", async () => {
    const { events, newest, manual } = setUp();
    const first = events.next();
    const gone = new ClientError("wire", "gone", { status: 412 });
    await newest().failed(gone);
    await expect(first).rejects.toBe(gone);
    expect(manual.timerCount).toBe(0);
  });

  test("throws when it is given up, before or while it waits", async () => {
    const abort = new AbortController();
    const { events, released } = setUp(abort.signal);
    const first = events.next();
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    expect(released()).toBeGreaterThan(0);
    await expect(setUp(abort.signal).events.next()).rejects.toMatchObject({ code: "aborted" });
  });
});

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}
