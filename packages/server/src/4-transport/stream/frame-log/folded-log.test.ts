import {
  fold,
  foldAll,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogEnd, StoredEvent } from "@turnwire/log";
import { FoldedLog, type FoldedEvent } from "./folded-log.ts";
import { PlainLog } from "./test-support/plain-log.ts";

/** A log of events of all kinds, with the state that retention has left behind. */
class TrimmedLog extends PlainLog {
  readonly all: SessionEvent[];

  constructor(events: SessionEvent[]) {
    super(0);
    this.all = events;
  }

  appendUpTo(seq: number): void {
    this.appendStored(
      this.all
        .slice(this.head, seq)
        .map((event) => ({ seq: event.seq, type: event.type, json: JSON.stringify(event) })),
    );
  }

  async readBase(): Promise<SessionState> {
    return stateAt(this.all, this.trimmed);
  }
}

function stateAt(events: readonly SessionEvent[], seq: number): SessionState {
  return foldAll(initialState(), events.slice(0, seq));
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function expectBefore(events: readonly SessionEvent[], folded: readonly FoldedEvent[]): void {
  let state = stateAt(events, (folded[0]?.seq ?? 1) - 1);
  for (const { seq, before, event } of folded) {
    expect(event).toEqual(events[seq - 1]);
    expect(before).toEqual(state);
    state = fold(state, event);
  }
}

describe("a log with the state before each event", () => {
  test("has it live and replayed from anywhere, whatever was trimmed and came meanwhile", async () => {
    const logs = eventLogArbitrary({ maxSteps: 20 });
    const parts = fc.record({
      joined: fc.nat(),
      trimmed: fc.nat(),
      batch: fc.integer({ min: 1, max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(logs, parts, async (events, { joined, trimmed, batch }) => {
        const log = new TrimmedLog(events);
        log.appendUpTo(joined % (events.length + 1));
        log.trimmed = trimmed % (log.head + 1);
        const folded = new FoldedLog({ source: log, log });
        const start = folded.head;
        const live: FoldedEvent[] = [];
        const leave = folded.subscribe({
          onEvents: (found) => live.push(...found),
          onEnd: () => undefined,
        });
        // Some come before the state is folded, some after.
        log.appendUpTo(log.head + batch);
        await settled();
        while (log.head < events.length) log.appendUpTo(log.head + batch);
        expect(live.map(({ seq }) => seq)).toEqual(events.slice(start).map(({ seq }) => seq));
        expectBefore(events, live);
        for (let after = log.trimmed; after < log.head; after += 3) {
          const read = await folded.read(after, 5);
          expect(read[0]?.seq).toBe(after + 1);
          expectBefore(events, read);
        }
        leave();
      }),
      { numRuns: 30 },
    );
  });

  test("folds an event as the log has it where its frames show it whole: the state is the same from anywhere", async () => {
    const noticeAt = (seq: number, text: string): StoredEvent => ({
      seq,
      type: "notice",
      json: JSON.stringify({ seq, ts: "", type: "notice", data: { level: "info", text } }),
    });
    const [plain, next] = [noticeAt(1, "cut"), noticeAt(2, "next")];
    const log = new TrimmedLog([]);
    log.appendStored([plain, next]);
    const shown = [{ ...noticeAt(1, "cut, and the rest"), plain }, next];
    const source = {
      head: 2,
      recent: () => undefined,
      read: async (after: number) => shown.slice(after),
      subscribe: () => () => undefined,
    };
    const [first, second] = await new FoldedLog({ source, log }).read(0, 2);
    expect(first?.event.data).toMatchObject({ text: "cut, and the rest" });
    const [joined] = await new FoldedLog({ source, log }).read(1, 1);
    expect(second?.before).toEqual(joined?.before);
  });

  test("has the message that a turn begins with whole, live and replayed, and events that come meanwhile after it", async () => {
    const attachment = {
      path: "/content/0/text",
      digest: `sha256-${"0".repeat(64)}`,
      size: 9,
      media_type: "text/plain",
      encoding: "text",
    } as const;
    const content = [{ type: "text" as const, text: "cut" }];
    const message = { message_id: "m", content, delivery: "turn" } as const;
    const events: SessionEvent[] = [
      { seq: 1, ts: "", attachments: [attachment], type: "user_message", data: message },
      {
        seq: 2,
        ts: "",
        type: "turn_started",
        turn_id: "t",
        data: { turn_id: "t", message_id: "m" },
      },
      { seq: 3, ts: "", type: "notice", turn_id: "t", data: { level: "info", text: "later" } },
    ];
    const log = new TrimmedLog(events);
    let load = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    const folded = new FoldedLog({
      source: log,
      log,
      async wholeMessage(large) {
        await loaded;
        return { ...large, content: [{ type: "text", text: "the whole" }] };
      },
    });
    const live: FoldedEvent[] = [];
    folded.subscribe({ onEvents: (found) => live.push(...found), onEnd: () => undefined });
    await settled();
    log.appendUpTo(1);
    log.appendUpTo(2);
    log.appendUpTo(3);
    await settled();
    expect(live.map(({ seq }) => seq)).toEqual([1]);
    load();
    await settled();
    for (const found of [live, await folded.read(0, 3)]) {
      expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3]);
      expect(found[1]?.before.queue).toMatchObject([{ content: [{ text: "the whole" }] }]);
      expect(found[2]?.before.messages).toMatchObject([{ content }]);
    }
  });

  test("sends its readers away when the log cannot be folded, and leaves the log alone", async () => {
    const log = new TrimmedLog([]);
    log.appendStored([{ seq: 1, type: "notice", json: '{"seq":1,' }]);
    const ends: LogEnd[] = [];
    const folded = new FoldedLog({ source: log, log });
    folded.subscribe({ onEvents: () => undefined, onEnd: (reason) => ends.push(reason) });
    await settled();
    expect(ends).toEqual(["released"]);
  });

  test("ends only the readers of a dialect that throws", async () => {
    const log = new TrimmedLog([]);
    const ends: LogEnd[] = [];
    new FoldedLog({ source: log, log }).subscribe({
      onEvents: () => {
        throw new Error("a fault in a dialect");
      },
      onEnd: (reason) => ends.push(reason),
    });
    await settled();
    const json = '{"seq":1,"ts":"","type":"notice","data":{"level":"info","text":""}}';
    expect(() => log.appendStored([{ seq: 1, type: "notice", json }])).not.toThrow();
    expect(ends).toEqual(["released"]);
  });
});
