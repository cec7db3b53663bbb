import { crc32 } from "node:zlib";
import type { StoredEvent } from "../../store.ts";

/** Events of a row at most. Never to be lowered: readers rely on it, and such rows exist. */
export const ROW_EVENTS = 128;
/** Characters of a row beyond which it takes no more events: who wants one event reads its whole row. */
const ROW_LENGTH = 32 * 1024;
/**
 * Batches of fewer events are kept one a row: what is longer than a quarter of a page gets pages of
 * its own in SQLite, and in those a few events leave more room empty than they fill.
 */
const PACKED_EVENTS = 16;

/** Consecutive events of a session as the table keeps them; most rows hold one. */
export interface EventRow {
  /** Of the last event. */
  readonly seq: number;
  readonly count: number;
  /** One per line; a single one names all events. */
  readonly types: string;
  /** One event a line. */
  readonly json: string;
}

/** Packs a batch into rows; where the seqs are not consecutive, a new row starts. */
export function rowsFromEvents(events: readonly StoredEvent[]): EventRow[] {
  if (events.length < PACKED_EVENTS) {
    return events.map(({ seq, type, json }) => ({ seq, count: 1, types: type, json }));
  }
  const rows: EventRow[] = [];
  let packed: StoredEvent[] = [];
  let length = 0;
  for (const event of events) {
    const last = packed.at(-1);
    const isFull = packed.length === ROW_EVENTS || length + event.json.length > ROW_LENGTH;
    if (last && (isFull || event.seq !== last.seq + 1)) {
      rows.push(rowFromEvents(packed));
      packed = [];
      length = 0;
    }
    packed.push(event);
    length += event.json.length;
  }
  if (packed.length > 0) rows.push(rowFromEvents(packed));
  return rows;
}

/** One row of consecutive events, at least one. */
export function rowFromEvents(events: readonly StoredEvent[]): EventRow {
  const types = events.map(({ type }) => type);
  const isOneType = types.every((type) => type === types[0]);
  return {
    seq: events.at(-1)?.seq ?? 0,
    count: events.length,
    types: (isOneType ? types.slice(0, 1) : types).join("\n"),
    json: events.map(({ json }) => json).join("\n"),
  };
}

/** Covers the count too: for a row of one it is the plain CRC of the text. */
export function checksumOf({ json, count }: Pick<EventRow, "json" | "count">): number {
  return crc32(json, count - 1);
}

/** The events of a row; undefined when the row is not what was written. */
export function eventsFromRow(row: EventRow, checksum: number): StoredEvent[] | undefined {
  const { seq, count, types, json } = row;
  if (checksumOf(row) !== checksum) return undefined;
  if (count === 1) return [{ seq, type: types, json }];
  const typeLines = types.split("\n");
  const lines = json.split("\n");
  if (lines.length !== count) return undefined;
  return lines.map((line, index) => ({
    seq: seq - count + 1 + index,
    type: typeLines[index] ?? types,
    json: line,
  }));
}
