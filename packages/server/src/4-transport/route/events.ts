import * as z from "zod";
import {
  accepted,
  limits,
  rejected,
  type Result,
  SessionEvent,
  wireError,
} from "@turnwire/protocol";
import { bytesOf, type StoredEvent } from "@turnwire/log";
import {
  type OpenSession,
  type SessionStream,
  type StatefulDialect,
  native,
  type HttpResponse,
  type TAKEN,
  jsonText,
  empty,
  refused,
  cursorFrom,
  gapError,
  resumePosition,
  noBody,
  sessionRoute,
  type Call,
  type Route,
} from "@turnwire/wire";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { streamBySse, streamHeaders } from "../stream/sse-writer.ts";
import { DialectQuery, dialectFrom } from "./dialect-query.ts";
import { sse } from "../stream/encoding/sse.ts";
import { encodeFrames } from "../stream/frame-log/frame-encoder.ts";

const EventsQuery = DialectQuery.extend({
  after: z.string().optional().describe("Where the reader stands: the seq of its last event"),
  epoch: z.string().optional().describe("The epoch of the log that the reader has read"),
  opening: z
    .string()
    .optional()
    .describe("`true`: begin with the conversation so far instead of all events; not in native"),
  limit: z.string().optional().describe("Events of a JSON page, 1 to 1000, by default 200"),
});
const EventPage = z.object({
  events: z.array(SessionEvent).describe("The events after the cursor, in order."),
  epoch: z.string().describe("The epoch of the log."),
  head: z.int().describe("The seq of the newest event."),
  next: z
    .int()
    .optional()
    .describe("Pass it as `after` for the next page; absent on the last page."),
});

/** A session's log: followed as a stream, or read in pages. */
export function eventRoutes(host: SessionHost, hub: ReaderHub): Route[] {
  return [
    sessionRoute(host, {
      method: "GET",
      path: "/sessions/{session_id}/events",
      summary: "Follow a session, or read a page of its log with Accept: application/json",
      query: EventsQuery,
      body: noBody,
      answers: {
        200: { description: "Everything after the cursor, then live", schema: EventPage },
      },
      async handle(session, _body, call) {
        const spoken = dialectFrom(call.query);
        if (!spoken.ok) return refused(spoken.error);
        const dialect = spoken.value;
        const cursor = cursorFrom(call.incoming, call.query);
        if (!cursor.ok) return refused(cursor.error);
        if (dialect.type === "stateful" && wantsOpening(session, call)) {
          return streamFromOpening(hub, { session, dialect, call });
        }
        const position = await resumePosition(session.log, cursor.value);
        if (!position.ok) return refused(position.error);
        const after = position.value;
        if (asksForPage(call.incoming.headers.accept)) {
          if (dialect !== native) return refused(pagesAreNative);
          const limit = limitFrom(call.query);
          return limit.ok ? readPage(session, after, limit.value) : refused(limit.error);
        }
        return streamSession(hub, call, { session, dialect, after });
      },
    }),
  ];
}

/** A stream of a session from a position: that of the request, unless the wire gives one. */
export async function streamSession(
  hub: ReaderHub,
  call: Call,
  { session, dialect, after }: SessionStream,
): Promise<HttpResponse | typeof TAKEN> {
  const position = after === undefined ? await requestedPosition(session, call) : accepted(after);
  if (!position.ok) return refused(position.error);
  const from = position.value;
  if (call.incoming.method === "HEAD") return empty(200, streamHeaders(session, from));
  return streamBySse(hub, { session, dialect, after: from, call });
}

async function requestedPosition({ log }: OpenSession, call: Call): Promise<Result<number>> {
  const cursor = cursorFrom(call.incoming, call.query);
  return cursor.ok ? resumePosition(log, cursor.value) : cursor;
}

const pagesAreNative = wireError("invalid_request", "Pages are in the native dialect only.");

/** A reader without a position gets the conversation so far where the log no longer has its beginning. */
function wantsOpening({ log }: OpenSession, { incoming, query }: Call): boolean {
  if (query.get("opening") === "true") return true;
  const hasPosition = incoming.headers["last-event-id"] !== undefined || query.has("after");
  return !hasPosition && log.oldest > 1;
}

async function streamFromOpening(
  hub: ReaderHub,
  { session, dialect, call }: { session: OpenSession; dialect: StatefulDialect; call: Call },
): Promise<HttpResponse | typeof TAKEN> {
  const opening = await openingOf(session, dialect);
  if (!opening.ok) return refused(opening.error);
  const { after, bytes } = opening.value;
  const gap = gapError(session.log.verdict(after));
  if (gap) return refused(gap);
  if (call.incoming.method === "HEAD") return empty(200, streamHeaders(session, after));
  return streamBySse(hub, { session, dialect, after, opening: bytes, call });
}

/** A stream unless JSON is asked for: a plain curl shows what happens. */
function asksForPage(accept = ""): boolean {
  return accept.includes("application/json") && !accept.includes("text/event-stream");
}

function limitFrom(query: URLSearchParams): Result<number> {
  const given = query.get("limit") ?? String(limits.eventPageDefault);
  const limit = /^[1-9][0-9]{0,3}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= limits.eventPageMax) return accepted(limit);
  return rejected(
    "invalid_request",
    `limit must be a whole number from 1 to ${limits.eventPageMax}.`,
  );
}

/** The events' text goes out as it is: nothing is parsed. */
async function readPage(session: OpenSession, after: number, limit: number): Promise<HttpResponse> {
  const { log } = session;
  const events: StoredEvent[] = [];
  let length = 0;
  let last = after;
  while (events.length < limit) {
    const step = await log.read(last, limit - events.length);
    const first = step[0];
    if (!first) break;
    length += bytesOf(step);
    // One event is always sent, however large it is.
    if (events.length > 0 && length > limits.eventPageBytes) break;
    if (first.seq !== last + 1) {
      const { oldest, head, epoch } = log;
      const gap = gapError({ type: "gap", oldest, head, epoch });
      if (gap) return refused(gap);
    }
    events.push(...step);
    last = step.at(-1)?.seq ?? last;
  }
  // A damaged log goes further than it can be read: the next page says so.
  const { head } = session.info();
  const facts = JSON.stringify({ epoch: log.epoch, head, ...(last < head && { next: last }) });
  const texts = events.map((event) => event.json).join(",");
  return jsonText(200, `{"events":[${texts}],${facts.slice(1)}`);
}

/** What a reader that joins late gets first, and the position that it has then. */
interface Opening {
  readonly bytes: Buffer;
  readonly after: number;
}

/** It is held in memory until its reader has taken it. */
const MAX_OPENING_BYTES = 64 * 1024 * 1024;

async function openingOf(session: OpenSession, dialect: StatefulDialect): Promise<Result<Opening>> {
  const { seq: after, state } = await session.snapshot();
  const bytes = encodeFrames(sse, after, dialect.opening(state));
  if (bytes.length <= MAX_OPENING_BYTES) return accepted({ bytes, after });
  const message = `The opening of this session is larger than ${MAX_OPENING_BYTES} bytes: follow it from the beginning instead.`;
  const details = { bytes: bytes.length, limit: MAX_OPENING_BYTES };
  return { ok: false, error: wireError("payload_too_large", message, details) };
}
