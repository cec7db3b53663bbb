import { createMemoryStore } from "@turnwire/log";
import { describe, expect, test } from "vitest";
import { interceptAppends } from "../../../../log/src/test-support/intercepted-store.ts";
import { openTrimmedSession } from "../test-support/trimmed-session.ts";
import { appendTexts, codeOf, startServer } from "../test-support/running-server.ts";
import { readSse } from "../test-support/sse-reader.ts";

const asJson = { headers: { accept: "application/json" } };

async function withEvents(count: number) {
  const running = await startServer({ hostOptions: { ringSize: 4 } });
  const id = await running.createSession();
  const session = await running.session(id);
  await appendTexts(
    session,
    Array.from({ length: count - 1 }, (_, index) => `event ${index + 2}`),
  );
  const path = `/sessions/${id}/events`;
  return { ...running, id, session, path, stream: `${running.url}${path}` };
}

describe("following a session over SSE", () => {
  test("without a cursor the stream starts at the log's beginning, then continues live", async () => {
    const { stream, session } = await withEvents(3);
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 3);
    await appendTexts(session, ["live"]);
    await reader.until(() => reader.frames.length === 4);
    expect(reader.frames.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(reader.frames[0]?.event).toBe("session_ready");
    expect(JSON.parse(reader.frames[3]?.data ?? "")).toMatchObject({
      seq: 4,
      type: "notice",
      data: { text: "live" },
    });
    reader.close();
  });

  test.each([0, 1, 50, 99])(
    "a reader that resumes after %i gets exactly what follows",
    async (after) => {
      const { stream } = await withEvents(100);
      for (const reader of [
        await readSse(stream, { "last-event-id": String(after) }),
        await readSse(`${stream}?after=${after}`),
      ]) {
        await reader.until(() => reader.frames.length === 100 - after);
        const expected = Array.from({ length: 100 - after }, (_, index) => after + 1 + index);
        expect(reader.frames.map(({ id }) => id)).toEqual(expected);
        reader.close();
      }
    },
  );

  test("a reader that another host has shown what is stored and not yet published here continues", async () => {
    let isHeld = false;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      await go();
      if (isHeld) await released;
    });
    const { createSession, session, request, url } = await startServer({ hostOptions: { store } });
    const id = await createSession();
    const live = await session(id);
    const before = live.log.head;
    isHeld = true;
    const appended = appendTexts(live, ["stored"]);
    const reading = readSse(`${url}/sessions/${id}/events?after=${before + 1}`);
    await request("/health");
    release();
    await appended;
    const reader = await reading;
    await appendTexts(live, ["next"]);
    await reader.until(() => reader.frames.length > 0);
    expect(reader.frames.map(({ id: seq }) => seq)).toEqual([before + 2]);
    reader.close();
  });

  test("a reader at the head gets nothing old, only what comes", async () => {
    const { stream, session } = await withEvents(10);
    const reader = await readSse(stream, { "last-event-id": "10" });
    await appendTexts(session, ["new"]);
    await reader.until(() => reader.frames.length > 0);
    expect(reader.frames.map(({ id }) => id)).toEqual([11]);
    reader.close();
  });

  test("the head has the verdict: epoch, head and where the stream starts", async () => {
    const { stream, session } = await withEvents(10);
    const reader = await readSse(`${stream}?after=3&epoch=${session.log.epoch}`);
    expect(reader.response.statusCode).toBe(200);
    expect(reader.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "turnwire-epoch": session.log.epoch,
      "turnwire-head": "10",
      "turnwire-after": "3",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    reader.close();
  });

  test("the header wins over the query", async () => {
    const { stream } = await withEvents(10);
    const reader = await readSse(`${stream}?after=abc`, { "last-event-id": "8" });
    await reader.until(() => reader.frames.length === 2);
    expect(reader.frames.map(({ id }) => id)).toEqual([9, 10]);
    reader.close();
  });

  test.each([
    "abc",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x5",
    "007",
    "9007199254740992",
    "18446744073709551616",
    "9".repeat(400),
    "5, 6",
    "5 6",
    "²",
    "٣",
    "",
    "null",
    "1-2",
  ])("the cursor %j is 400 invalid_cursor, as header and as query", async (cursor) => {
    const { request, path } = await withEvents(10);
    const byQuery = await request(`${path}?after=${encodeURIComponent(cursor)}`);
    expect(byQuery.status).toBe(400);
    expect(await codeOf(byQuery)).toBe("invalid_cursor");
    const latin1 = Buffer.from(cursor).toString("latin1");
    const byHeader = await request(path, { headers: { "last-event-id": latin1 } });
    expect(byHeader.status).toBe(400);
    expect(await codeOf(byHeader)).toBe("invalid_cursor");
  });

  test("a cursor given twice is 400", async () => {
    const { request, path } = await withEvents(10);
    expect((await request(`${path}?after=5&after=5`)).status).toBe(400);
    expect((await request(`${path}?after=%205`)).status).toBe(400);
    const twice = new Headers([
      ["last-event-id", "5"],
      ["last-event-id", "6"],
    ]);
    expect((await request(path, { headers: twice })).status).toBe(400);
  });

  test("a cursor ahead of the log is 412 and says what there is", async () => {
    const { request, path, session } = await withEvents(10);
    for (const after of ["11", "9007199254740991"]) {
      const answer = await request(path, { headers: { "last-event-id": after } });
      expect(answer.status).toBe(412);
      expect(await answer.json()).toMatchObject({
        error: {
          code: "cursor_gone",
          retryable: false,
          details: { oldest: 1, head: 10, epoch: session.log.epoch },
        },
      });
    }
  });

  test("a cursor of another epoch is 412", async () => {
    const { request, path } = await withEvents(10);
    const answer = await request(`${path}?after=5&epoch=other`);
    expect(answer.status).toBe(412);
    expect(await codeOf(answer)).toBe("cursor_gone");
  });

  test("a cursor before what retention has kept is 412 with the oldest event; the boundary is exact", async () => {
    const { request, url, id, oldest } = await openTrimmedSession();
    const path = `/sessions/${id}/events`;
    const gone = await request(`${path}?after=${oldest - 2}`);
    expect(gone.status).toBe(412);
    expect(await gone.json()).toMatchObject({ error: { details: { oldest } } });
    const reader = await readSse(`${url}${path}?after=${oldest - 1}`);
    await reader.until(() => reader.frames.length > 0);
    expect(reader.frames[0]?.id).toBe(oldest);
    reader.close();
  });

  test("the stream ends after session_closed", async () => {
    const { stream, request, id } = await withEvents(3);
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 3);
    await request(`/sessions/${id}`, { method: "DELETE" });
    await reader.ended;
    expect(reader.frames.at(-1)?.event).toBe("session_closed");
    expect(reader.response.complete).toBe(true);
  });

  test("an unknown session is 404 before anything is streamed", async () => {
    const { request } = await withEvents(1);
    const answer = await request("/sessions/unknown/events", {
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(404);
    expect(await codeOf(answer)).toBe("session_not_found");
  });

  test("HEAD answers with the same head and keeps nothing open", async () => {
    const { request, path, metric } = await withEvents(5);
    const answer = await request(path, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("turnwire-head")).toBe("5");
    expect(await answer.text()).toBe("");
    expect(await metric("turnwire_subscribers")).toBe(0);
  });
});

describe("reading a log in pages", () => {
  test("pages hold the events as they are and lead from one to the next", async () => {
    const { request, path, session } = await withEvents(10);
    const first = (await (await request(`${path}?limit=4`, asJson)).json()) as {
      events: unknown[];
    };
    expect(first).toMatchObject({ epoch: session.log.epoch, head: 10, next: 4 });
    expect(first.events).toHaveLength(4);
    const last = await (await request(`${path}?after=8&limit=4`, asJson)).json();
    expect(last).toEqual({
      events: [expect.objectContaining({ seq: 9 }), expect.objectContaining({ seq: 10 })],
      epoch: session.log.epoch,
      head: 10,
    });
  });

  test("a page has 200 events by default, and at most 1000", async () => {
    const { request, path } = await withEvents(1200);
    const count = async (query: string): Promise<number> => {
      const page = (await (await request(`${path}${query}`, asJson)).json()) as {
        events: unknown[];
      };
      return page.events.length;
    };
    expect(await count("")).toBe(200);
    expect(await count("?limit=1000")).toBe(1000);
    for (const limit of ["0", "1001", "x", "-5", "1.5"]) {
      const answer = await request(`${path}?limit=${limit}`, asJson);
      expect(answer.status).toBe(400);
      expect(await codeOf(answer)).toBe("invalid_request");
    }
  });

  test("large events cut a page short, and next leads on", async () => {
    const { request, path, session } = await withEvents(1);
    for (let count = 0; count < 12; count++) {
      await appendTexts(
        session,
        Array.from({ length: 100 }, () => "x".repeat(10_000)),
      );
    }
    const answer = await request(`${path}?limit=1000`, asJson);
    const page = (await answer.json()) as { events: unknown[]; next: number };
    expect(page.events.length).toBeLessThan(1000);
    expect(page.next).toBe(page.events.length);
  });

  test("a page has the same verdicts as a stream", async () => {
    const { request, path } = await withEvents(10);
    expect((await request(`${path}?after=11`, asJson)).status).toBe(412);
    expect((await request(`${path}?after=abc`, asJson)).status).toBe(400);
  });
});
