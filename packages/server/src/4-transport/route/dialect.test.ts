import { describe, expect, test } from "vitest";
import { codeOf, startServer, type RunningServer } from "../test-support/running-server.ts";
import { readSse, type ReadFrame } from "../test-support/sse-reader.ts";
import { openTrimmedSession } from "../test-support/trimmed-session.ts";

interface WireLine {
  readonly type: string;
  readonly uuid?: string;
  readonly request_id?: string;
  readonly result?: string;
  readonly message?: { readonly content: readonly { readonly text?: string }[] };
}

function lineOf({ data }: ReadFrame): WireLine {
  return JSON.parse(data) as WireLine;
}

async function say(running: RunningServer, id: string, message: string): Promise<void> {
  const sent = await running.request(`/sessions/${id}/message`, { json: { message } });
  expect(sent.status).toBe(202);
}

/** Reads in stream-json up to and with a line. */
async function readUntil(
  running: RunningServer,
  path: string,
  isLast: (line: WireLine) => boolean,
): Promise<ReadFrame[]> {
  const reader = await readSse(`${running.url}${path}`);
  expect(reader.response.statusCode).toBe(200);
  await reader.until(() => reader.frames.some((frame) => isLast(lineOf(frame))));
  reader.close();
  const end = reader.frames.findIndex((frame) => isLast(lineOf(frame)));
  return reader.frames.slice(0, end + 1);
}

const isResult = ({ type }: WireLine): boolean => type === "result";

describe("a session in stream-json", () => {
  test("is the same live and from every position; frames before a position's last come again", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const path = `/sessions/${id}/events?dialect=stream-json`;
    const reading = readUntil(running, path, isResult);
    await say(running, id, "/tools");
    const live = await reading;
    expect(lineOf(live[0] ?? { id: 0, event: "", data: "{}" })).toMatchObject({ type: "system" });
    expect(new Set(live.map(({ event }) => event))).toEqual(
      new Set(["system", "user", "stream_event", "assistant", "result"]),
    );
    // Without an id: not the last frame of its event.
    const positions = live.flatMap(({ id: position }, index) =>
      position === 0 ? [] : [{ position, index }],
    );
    expect(positions.length).toBeGreaterThan(5);
    expect(positions.length).toBeLessThan(live.length);
    for (const { position, index } of positions) {
      if (index === live.length - 1) continue;
      const rest = await readUntil(running, `${path}&after=${position}`, isResult);
      expect(rest).toEqual(live.slice(index + 1));
    }
    const uuids = live.map((frame) => lineOf(frame).uuid);
    expect(new Set(uuids).size).toBe(uuids.length);
  });

  test("asks and is answered in its own words", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const path = `/sessions/${id}/events?dialect=stream-json`;
    const commands = `/sessions/${id}/commands?dialect=stream-json`;
    const user = { type: "user", uuid: "u1", message: { role: "user", content: "/permission" } };
    expect((await running.request(commands, { json: user })).status).toBe(202);
    const again = await running.request(commands, { json: user });
    expect(await again.json()).toMatchObject({ duplicate: true });
    const asked = await readUntil(running, path, ({ type }) => type === "control_request");
    const { request_id } = lineOf(asked.at(-1) ?? { id: 0, event: "", data: "{}" });
    const response = { subtype: "success", request_id, response: { behavior: "allow" } };
    const json = { type: "control_response", response };
    expect((await running.request(commands, { json })).status).toBe(202);
    const all = await readUntil(running, path, isResult);
    expect(all.map(lineOf)).toContainEqual({ type: "control_cancel_request", request_id });
    const late = await running.request(commands, { json });
    expect([late.status, await codeOf(late)]).toEqual([409, "already_resolved"]);
  });

  test("opens with the conversation so far, on demand and where its beginning is gone", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const path = `/sessions/${id}/events?dialect=stream-json`;
    await say(running, id, "/markdown");
    const all = await readUntil(running, path, isResult);
    const opened = await readUntil(running, `${path}&opening=true`, isResult);
    const finished = (frames: readonly ReadFrame[]): string[] =>
      frames.filter(({ event }) => event === "assistant").map(({ data }) => data);
    expect(finished(opened)).toEqual(finished(all));
    expect(opened.filter(({ event }) => event === "stream_event")).toEqual([]);

    const trimmed = await openTrimmedSession();
    const events = `/sessions/${trimmed.id}/events?dialect=stream-json`;
    const reader = await readSse(`${trimmed.url}${events}`);
    expect(reader.response.headers["turnwire-after"]).toBe("20");
    await say(trimmed, trimmed.id, "/markdown");
    await reader.until(() => reader.frames.some((frame) => isResult(lineOf(frame))));
    reader.close();
    const gone = await trimmed.request(`${events}&after=1`);
    expect([gone.status, await codeOf(gone)]).toEqual([412, "cursor_gone"]);
  });

  test("is refused under another name, and in pages", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const unknown = await running.request(`/sessions/${id}/events?dialect=esperanto`);
    expect([unknown.status, await codeOf(unknown)]).toEqual([400, "invalid_request"]);
    const page = await running.request(`/sessions/${id}/events?dialect=stream-json`, {
      headers: { accept: "application/json" },
    });
    expect([page.status, await codeOf(page)]).toEqual([400, "invalid_request"]);
  });
});
