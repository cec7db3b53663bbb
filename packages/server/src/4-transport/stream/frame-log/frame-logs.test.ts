import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { ManualClock } from "../../../../../base/src/test-support/manual-clock.ts";
import { sse } from "../encoding/sse.ts";
import { websocket } from "@turnwire/wire";
import { FrameLogs } from "./frame-logs.ts";
import { native } from "../../../../../wire/src/native/native.ts";
import { LEASE_MS, recordOf } from "../../../../../log/src/test-support/session.ts";

const bySse = { dialect: native, encoding: sse };
const byWebSocket = { dialect: native, encoding: websocket };

async function openLog(): Promise<EventLog> {
  const store = createMemoryStore();
  const lease = await store.createSession(recordOf("s"), "test", LEASE_MS);
  return new EventLog({ store, lease, clock: new ManualClock(), ringSize: 10 });
}

describe("frames of many logs", () => {
  test("readers of one log in one wire format share one set of frames; another wire format has its own", async () => {
    const logs = new FrameLogs({ clock: new ManualClock() });
    const log = await openLog();
    expect(logs.open(log, bySse).frames).toBe(logs.open(log, bySse).frames);
    expect(logs.open(log, byWebSocket).frames).not.toBe(logs.open(log, bySse).frames);
    expect(logs.open(await openLog(), bySse).frames).not.toBe(logs.open(log, bySse).frames);
    expect(logs.size).toBe(3);
  });

  test("frames are kept for a moment after the last reader left, then let go", async () => {
    const clock = new ManualClock();
    const logs = new FrameLogs({ clock, lingerMs: 5_000 });
    const log = await openLog();
    const first = logs.open(log, bySse);
    first.release();
    await clock.advance(4_000);
    const second = logs.open(log, bySse);
    expect(second.frames).toBe(first.frames);
    await clock.advance(60_000);
    expect(logs.size).toBe(1);
    second.release();
    second.release();
    await clock.advance(5_000);
    expect(logs.size).toBe(0);
  });

  test("frames of a log that has ended are let go with the last reader", async () => {
    const logs = new FrameLogs({ clock: new ManualClock() });
    const log = await openLog();
    const lease = logs.open(log, bySse);
    await log.append([draft("session_closed", { reason: "deleted" })]).committed;
    log.end("closed");
    expect(lease.frames.after(0)).toMatchObject({ type: "frames", last: 1 });
    lease.release();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(logs.size).toBe(0);
  });
});
