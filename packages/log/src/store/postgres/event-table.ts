import { crc32 } from "node:zlib";
import type { StoredEvent } from "../../store.ts";
import type { DamagedRange } from "../../store-error.ts";
import { logDamaged, sessionUnknown } from "../refusal.ts";
import type { SqlRow, SqlValue, Statements } from "./database.ts";

/** What one statement reads at most: a few milliseconds. */
const PAGE_EVENTS = 512;
const PAGE_BYTES = 1024 * 1024;

/** Events as parameters: texts without line breaks, so that nothing has to be escaped. */
export function columnsFromEvents(events: readonly StoredEvent[]): SqlValue[] {
  return [
    events.map(({ type }) => type).join("\n"),
    events.map(({ json }) => json).join("\n"),
    events.map(({ json }) => crc32(json)).join(","),
  ];
}

interface EventRow extends SqlRow {
  /** The place of its request. */
  readonly place: number;
  readonly head: number;
  readonly trimmed: number;
  /** NULL, as the rest, where there is no event. */
  readonly seq: number | null;
  readonly type: string;
  readonly json: string;
  readonly crc: number;
}

export interface PageRequest {
  readonly sessionId: string;
  readonly after: number;
  readonly count: number;
  readonly bytes: number;
  /** The first event is read however large it is. */
  readonly isFirst: boolean;
}

export type PageReader = (request: PageRequest) => Promise<readonly EventRow[]>;

// One snapshot of heads and events. The sizes are known without reading what is stored apart.
const selectPages = `
  SELECT asked.place, h.head, h.trimmed, page.seq, page.type, page.json, page.crc
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::boolean[])
    WITH ORDINALITY AS asked (session_id, after, count, bytes, is_first, place)
  JOIN turnwire.heads AS h ON h.session_id = asked.session_id
  LEFT JOIN LATERAL (
    SELECT seq, type, json, crc, row, sum(octet_length(json)) OVER (ORDER BY seq) AS bytes
    FROM (
      SELECT e.seq, e.type, e.json, e.crc, row_number() OVER (ORDER BY e.seq) AS row
      FROM turnwire.events AS e
      WHERE e.session_key = h.session_key AND e.seq > greatest(asked.after, h.trimmed)
      ORDER BY e.seq LIMIT asked.count
    ) AS next
  ) AS page ON page.bytes <= asked.bytes OR (page.row = 1 AND asked.is_first)
  ORDER BY asked.place, page.seq`;

/** The next page of each of several sessions, in the order of the requests; without a row where there is no such session. */
export async function readPages(
  statements: Statements,
  requests: readonly PageRequest[],
): Promise<EventRow[][]> {
  const rows = await statements.run<EventRow>(selectPages, [
    requests.map(({ sessionId }) => sessionId),
    requests.map(({ after }) => String(Math.floor(after))),
    requests.map(({ count }) => String(count)),
    requests.map(({ bytes }) => String(Math.floor(bytes))),
    requests.map(({ isFirst }) => String(isFirst)),
  ]);
  const pages: EventRow[][] = requests.map(() => []);
  for (const row of rows) pages[row.place - 1]?.push(row);
  return pages;
}

interface ReadRequest {
  readonly sessionId: string;
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/** Reads events as the port promises it. */
export async function readEvents(
  readPage: PageReader,
  { sessionId, after, limit, maxBytes }: ReadRequest,
): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  let last = after;
  let left = maxBytes;
  while (events.length < limit || events.length === 0) {
    const isFirst = events.length === 0;
    const count = Math.min(PAGE_EVENTS, limit - events.length);
    const bytes = Math.min(PAGE_BYTES, left);
    const rows = await readPage({ sessionId, after: last, count, bytes, isFirst });
    const [first] = rows;
    if (!first) {
      if (isFirst) throw sessionUnknown(sessionId);
      break;
    }
    // Retention may run between two pages: what it took must show as the start of the next read.
    if (!isFirst && first.trimmed > last) break;
    const page = pageFrom(rows, Math.max(last, first.trimmed));
    if (isFirst && page.range && page.events.length === 0 && limit > 0) {
      throw logDamaged(sessionId, page.range);
    }
    events.push(...page.events);
    last = page.events.at(-1)?.seq ?? last;
    left -= page.events.reduce((sum, { json }) => sum + json.length, 0);
    if (page.events.length === 0 || page.range || left <= 0 || last >= first.head) break;
  }
  return events;
}

/** The events of a page up to where one is missing or not what was written. */
function pageFrom(
  rows: readonly EventRow[],
  after: number,
): { readonly events: readonly StoredEvent[]; readonly range?: DamagedRange } {
  const events: StoredEvent[] = [];
  let last = after;
  for (const { seq, type, json, crc, head } of rows) {
    if (seq === null) {
      return last < head ? { events, range: { first: last + 1, last: head } } : { events };
    }
    if (seq !== last + 1) return { events, range: { first: last + 1, last: seq - 1 } };
    if (crc32(json) !== crc) return { events, range: { first: seq, last: seq } };
    events.push({ seq, type, json });
    last = seq;
  }
  return { events };
}

interface StretchRow extends SqlRow {
  readonly found: number;
  readonly newest: number | null;
}

/** How many events a session has after a seq, and the newest: enough to know whether some are missing. */
const countEvents = `
  SELECT count(*) AS found, max(seq) AS newest FROM turnwire.events
  WHERE session_key = $1 AND seq > $2`;

const findGap = `
  SELECT before + 1 AS first, seq - 1 AS last FROM (
    SELECT seq, lag(seq, 1, $2::bigint) OVER (ORDER BY seq) AS before FROM turnwire.events
    WHERE session_key = $1 AND seq > $2
  ) AS pairs WHERE seq > before + 1 ORDER BY seq LIMIT 1`;

/** Events that one statement counts: a few tenths of a second, also from a slow disk. */
const COUNTED_EVENTS = 100_000;
const countSome = `
  SELECT count(*) AS found FROM turnwire.events WHERE session_key = $1 AND seq > $2 AND seq <= $3`;

export interface EventStretch {
  readonly session_key: number;
  readonly head: number;
  readonly trimmed: number;
}

/** The seq up to which a long log has every event, found bit by bit; the rest, and a short log, is left to `inspectEvents`. */
export async function findWholePart(
  statements: Statements,
  { session_key: key, head, trimmed }: EventStretch,
): Promise<number> {
  let upTo = trimmed;
  while (head - upTo > COUNTED_EVENTS) {
    const next = upTo + COUNTED_EVENTS;
    const [row] = await statements.run<{ found: number }>(countSome, [key, upTo, next]);
    if (row?.found !== COUNTED_EVENTS) break;
    upTo = next;
  }
  return upTo;
}

/** What of a log is really there after a seq: the newest event, and the first ones that are missing before it. */
export async function inspectEvents(
  statements: Statements,
  sessionKey: number,
  after: number,
): Promise<{ readonly newest: number; readonly hole?: DamagedRange }> {
  const [row] = await statements.run<StretchRow>(countEvents, [sessionKey, after]);
  const newest = row?.newest ?? after;
  if (newest - after === (row?.found ?? 0)) return { newest };
  const [hole] = await statements.run<SqlRow & DamagedRange>(findGap, [sessionKey, after]);
  return { newest, ...(hole && { hole: { first: hole.first, last: hole.last } }) };
}
