import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StoredEvent } from "../../store.ts";
import { checksumOf, eventsFromRow, ROW_EVENTS, rowsFromEvents } from "./event-row.ts";
import { eventsFrom } from "../../test-support/session.ts";

/** Runs of like events, so that batches reach all limits of a row and are cheap to make. */
const batch = fc
  .array(
    fc.record({
      type: fc.constantFrom("delta", "tool_call", "x.custom"),
      text: fc.string({ unit: "binary", maxLength: 8 }),
      copies: fc.constantFrom(1, 1, 1, 500),
      events: fc.integer({ min: 1, max: 150 }),
    }),
    { maxLength: 6 },
  )
  .map((runs): StoredEvent[] =>
    runs
      .flatMap((run) => Array.from({ length: run.copies > 1 ? 20 : run.events }, () => run))
      .map(({ type, text, copies }, index) => {
        const seq = index + 7;
        return { seq, type, json: JSON.stringify({ seq, type, text: text.repeat(copies) }) };
      }),
  );

describe("rows of events", () => {
  test("give back the events that went in, in order", () => {
    fc.assert(
      fc.property(batch, (events) => {
        const rows = rowsFromEvents(events);
        const found = rows.flatMap((row) => eventsFromRow(row, checksumOf(row)));
        // Far quicker than `toStrictEqual` over so many; fast-check shows the batch.
        expect(isDeepStrictEqual(found, events)).toBe(true);
      }),
    );
  });

  test("follow each other and hold no more than readers rely on", () => {
    fc.assert(
      fc.property(batch, (events) => {
        let last = 6;
        for (const { seq, count } of rowsFromEvents(events)) {
          expect(seq - count).toBe(last);
          expect(count).toBeLessThanOrEqual(ROW_EVENTS);
          last = seq;
        }
      }),
    );
  });

  test("hold one event each where a batch is small", () => {
    expect(rowsFromEvents(eventsFrom(1, 3)).map(({ count }) => count)).toStrictEqual([1, 1, 1]);
  });

  test("hold many events where a batch is large, and few where these are long", () => {
    const counts = (events: StoredEvent[]) => rowsFromEvents(events).map(({ count }) => count);
    expect(counts(eventsFrom(1, 300))).toStrictEqual([128, 128, 44]);
    expect(counts(eventsFrom(1, 20, 20_000))).toStrictEqual(Array.from({ length: 20 }, () => 1));
  });

  test("break where a seq does not follow, so that the writer sees it", () => {
    const events = [...eventsFrom(1, 20), ...eventsFrom(22, 30)];
    const places = rowsFromEvents(events).map(({ seq, count }) => [seq - count + 1, seq]);
    expect(places).toStrictEqual([
      [1, 20],
      [22, 30],
    ]);
  });

  test("are not read when the bytes or the count are not what was written", () => {
    const [row] = rowsFromEvents(eventsFrom(1, 20));
    if (!row) throw new Error("no row");
    const checksum = checksumOf(row);
    expect(eventsFromRow(row, checksum)).toStrictEqual(eventsFrom(1, 20));
    expect(eventsFromRow(row, checksum ^ 1)).toBeUndefined();
    expect(eventsFromRow({ ...row, count: 19 }, checksum)).toBeUndefined();
    expect(eventsFromRow({ ...row, count: 1 }, checksum)).toBeUndefined();
  });
});
