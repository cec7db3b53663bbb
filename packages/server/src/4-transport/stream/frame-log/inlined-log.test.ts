import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore, type LogEnd, type StoredEvent } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { ManualClock } from "../../../../../base/src/test-support/manual-clock.ts";
import { InlinedLog } from "./inlined-log.ts";

const time = "2026-11-15T09:00:00.000Z";

async function openLog(): Promise<EventLog> {
  const store = createMemoryStore();
  const lease = await store.createSession(
    {
      sessionId: "s",
      owner: "local",
      epoch: "e",
      runtime: "demo",
      options: {},
      status: "live",
      activity: "idle",
      cwd: "/",
      createdAt: time,
      updatedAt: time,
      head: 0,
      trimmed: 0,
    },
    "test",
    1000,
  );
  return new EventLog({ store, lease, clock: new ManualClock(), ringSize: 2 });
}

function result(output: string) {
  return draft("tool_result", { tool_use_id: "t", output, is_error: false });
}

const note = draft("notice", { level: "info", text: "small" });

function listenTo(log: InlinedLog) {
  const events: StoredEvent[] = [];
  const ends: { reason: LogEnd; after: number }[] = [];
  log.subscribe({
    onEvents: (batch) => void events.push(...batch),
    onEnd: (reason) => void ends.push({ reason, after: events.length }),
  });
  return { events, ends };
}

function outputOf(event: StoredEvent | undefined): string {
  return JSON.parse(event?.json ?? "{}").data?.output;
}

describe("a log with its attachments in place", () => {
  const large = "x".repeat(600_000);

  test("is the same live and replayed, in order, whole up to its limit", async () => {
    const log = await openLog();
    const inlined = new InlinedLog(log, 1024 * 1024);
    const { events, ends } = listenTo(inlined);
    const huge = "y".repeat(2_000_000);
    await log.append([note]).committed;
    expect(events).toHaveLength(1);
    await log.append([result(large), note]).committed;
    await log.append([result(huge)]).committed;
    await log.append([note]).committed;
    log.end("released");
    await expect.poll(() => ends).toEqual([{ reason: "released", after: 5 }]);
    expect(inlined.head).toBe(5);
    expect(outputOf(events[1]) === large).toBe(true);
    expect(JSON.parse(events[1]?.json ?? "")).not.toHaveProperty("attachments");
    expect(outputOf(events[3])).toContain("left out");
    const replayed: StoredEvent[] = [];
    while (replayed.length < 5) replayed.push(...(await inlined.read(replayed.length, 100)));
    expect(replayed.map(({ json }) => json) + "" === events.map(({ json }) => json) + "").toBe(
      true,
    );
  });

  test("hands out nothing that live readers do not have yet", async () => {
    const log = await openLog();
    let load = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    const inlined = new InlinedLog(
      {
        sessionId: log.sessionId,
        get head() {
          return log.head;
        },
        recent: (after, limit) => log.recent(after, limit),
        read: (after, limit) => log.read(after, limit),
        subscribe: (listener) => log.subscribe(listener),
        readAttachment: (digest) => loaded.then(() => log.readAttachment(digest)),
      },
      1024 * 1024,
    );
    const { events } = listenTo(inlined);
    await log.append([result(large)]).committed;
    await log.append([note]).committed;
    expect(await inlined.read(0, 10)).toHaveLength(0);
    expect(inlined.head).toBe(0);
    load();
    await expect.poll(() => inlined.head).toBe(2);
    const replayed = await inlined.read(0, 10);
    expect(replayed.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(replayed[0]?.json === events[0]?.json).toBe(true);
    expect(inlined.recent(0, 10)).toBeUndefined();
  });
});
