import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@turnwire/protocol";
import { notice, placed, ready, sampleLog } from "../test-support/sample-event.ts";
import { frameOf } from "../test-support/scripted-session.ts";
import type { ClientError } from "./client-error.ts";
import type { Batch, StreamVerdict } from "./connection-state.ts";
import { createEventStream } from "./event-stream.ts";
import { Http } from "./http.ts";
import { createPlatform, type Fetch, type FetchInit } from "./platform.ts";
import { sessionFeed } from "./session-feed.ts";
import type { Cursor } from "./stream.ts";

const log = sampleLog(3);
const eventStream = { "content-type": "text/event-stream" };

interface Outcome {
  readonly verdicts: StreamVerdict[];
  readonly batches: Batch[];
  readonly error?: ClientError;
}

/** Reads one stream to its end. */
function read(fetch: Fetch, cursor: Cursor = { after: 0 }): Promise<Outcome> {
  const platform = createPlatform({ fetch });
  const http = new Http({ url: "http://server/base/", token: "t", timeoutMs: 1_000, platform });
  const verdicts: StreamVerdict[] = [];
  const batches: Batch[] = [];
  return new Promise((resolve) => {
    createEventStream(http, sessionFeed("s/1"))(cursor, {
      opened: async (verdict) => void verdicts.push(verdict),
      received: async (batch) => void batches.push(batch),
      ended: async () => resolve({ verdicts, batches }),
      failed: async (error) => resolve({ verdicts, batches, error }),
    });
  });
}

function answering(body: Uint8Array[] | string, headers: HeadersInit = eventStream): Fetch {
  const stream =
    typeof body === "string"
      ? body
      : new ReadableStream({
          start: (controller) => {
            for (const chunk of body) controller.enqueue(chunk);
            controller.close();
          },
        });
  return async () => new Response(stream, { headers });
}

function textOf(events: readonly SessionEvent[]): string {
  return events.map((event) => frameOf(event)).join("");
}

/** Cuts bytes at the given places, whatever they fall on. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const inside = places.map((place) => place % (bytes.length + 1));
  const edges = [0, ...inside.toSorted((left, right) => left - right), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

describe("an event stream", () => {
  test("is asked for with the token, the position and the epoch", async () => {
    const asked: { url: string; init: FetchInit }[] = [];
    await read(
      async (url, init) => {
        asked.push({ url, init });
        return new Response("", { headers: eventStream });
      },
      { after: 12, epoch: "a b" },
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]?.url).toBe("http://server/base/sessions/s%2F1/events?after=12&epoch=a%20b");
    expect(asked[0]?.init.headers).toEqual({
      accept: "text/event-stream",
      authorization: "Bearer t",
      "last-event-id": "12",
    });
  });

  test("gives the verdict before any event", async () => {
    const headers = {
      ...eventStream,
      "turnwire-after": "0",
      "turnwire-head": "3",
      "turnwire-epoch": "e1",
    };
    const { verdicts } = await read(answering(textOf(log), headers));
    expect(verdicts).toEqual([{ after: 0, head: 3, epoch: "e1", hasKeepalive: true }]);
  });

  test("gives the same events however its bytes are cut, and one batch a chunk", async () => {
    await fc.assert(
      fc.asyncProperty(
        eventLogArbitrary({ maxSteps: 30 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        async (events, cuts) => {
          const chunks = cutAt(new TextEncoder().encode(textOf(events)), cuts);
          const { batches, error } = await read(answering(chunks));
          expect(error).toBeUndefined();
          expect(batches.flatMap((batch) => batch.events)).toEqual(events);
          expect(batches.length).toBeLessThanOrEqual(chunks.length);
        },
      ),
    );
  });

  test("keeps characters whole that are cut into single bytes", async () => {
    const events = placed([ready, notice("ß漢🎈")]);
    const bytes = new TextEncoder().encode(textOf(events));
    const { batches } = await read(answering(Array.from(bytes, (byte) => Uint8Array.of(byte))));
    expect(batches.flatMap((batch) => batch.events)).toEqual(events);
  });

  test("passes keepalives on as chunks without events", async () => {
    const { batches } = await read(answering(": keepalive\n\n"));
    expect(batches).toEqual([{ events: [] }]);
  });

  test("passes retry hints on", async () => {
    const { batches } = await read(answering(`${textOf(log)}retry: 2000\n\n`));
    expect(batches.at(-1)?.retryMs).toBe(2_000);
  });

  test("events of unknown types pass", async () => {
    const { batches } = await read(
      answering('data: {"seq":1,"ts":"now","type":"telepathy","data":{}}\n\n'),
    );
    expect(batches[0]?.events).toMatchObject([{ seq: 1, type: "telepathy" }]);
  });

  test.each([
    "data: {half\n\n",
    "data: 17\n\n",
    "data: null\n\n",
    'data: {"seq":"1","type":"notice","data":{}}\n\n',
    'data: {"seq":1.5,"type":"notice","data":{}}\n\n',
    'data: {"seq":1,"type":"notice","data":null}\n\n',
    'data: {"seq":1,"type":"notice"}\n\n',
  ])("what is not an event is a protocol error, after the events before it: %j", async (bad) => {
    const { batches, error } = await read(answering(textOf(log) + bad));
    expect(error).toMatchObject({ code: "protocol" });
    expect(batches.flatMap((batch) => batch.events)).toEqual(log);
  });

  test("another content type is a protocol error: a captive portal is not a stream", async () => {
    const { error, verdicts } = await read(
      answering("<html>", { "content-type": "text/html; charset=utf-8" }),
    );
    expect(error).toMatchObject({ code: "protocol" });
    expect(verdicts).toEqual([]);
  });

  test("a server that cannot be reached is a network error with its cause", async () => {
    const cause = new TypeError("fetch failed");
    const { error } = await read(() => Promise.reject(cause));
    expect(error).toMatchObject({ code: "network", cause });
  });
});
