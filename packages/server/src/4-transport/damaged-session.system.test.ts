import type { SessionEvent, SessionInfo, WireErrorBody } from "@turnwire/protocol";
import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { createMemoryStore, StoreError } from "@turnwire/log";
import {
  openForTest,
  tamper,
  temporaryPath,
} from "../../../log/src/store/sqlite/test-support/temporary-store.ts";
import {
  interceptAppends,
  interceptStore,
} from "../../../log/src/test-support/intercepted-store.ts";
import {
  appendTexts,
  codeOf,
  startServer,
  type RunningServer,
} from "./test-support/running-server.ts";
import { openSocket } from "./test-support/socket-client.ts";

/** Two sessions of ten events each, of which a statement then damages the first, served again. */
async function startDamaged(sql: string): Promise<RunningServer> {
  const path = await temporaryPath();
  const before = await openForTest(path, "fast");
  const first = await startServer({ hostOptions: { store: before } });
  for (const id of ["bad", "good"]) {
    await first.createSession({ session_id: id, title: id });
    await appendTexts(
      await first.session(id),
      Array.from({ length: 9 }, (_, i) => `text ${i}`),
    );
  }
  await first.server.close();
  await before.close();
  await tamper(path, (database) => database.exec(sql));
  return startServer({ hostOptions: { store: await openForTest(path, "fast") } });
}

/** The seqs of a stream that the server ends. */
async function streamed({ request }: RunningServer, path: string): Promise<number[]> {
  const answer = await request(path, { headers: { accept: "text/event-stream" } });
  const seqs: number[] = [];
  const parser = createParser({ onEvent: ({ id }) => void seqs.push(Number(id)) });
  parser.feed(await answer.text());
  return seqs;
}

async function seqsOf(answer: Response): Promise<{ seqs: number[]; head: number; next?: number }> {
  const { events, ...rest } = (await answer.json()) as {
    events: SessionEvent[];
    head: number;
    next?: number;
  };
  return { seqs: events.map(({ seq }) => seq), ...rest };
}

const json = { headers: { accept: "application/json" } };

describe("a damaged session", () => {
  test.for([
    { what: "a missing event", sql: "DELETE FROM events WHERE session_key = 1 AND seq = 4" },
    { what: "changed bytes", sql: "UPDATE events SET crc = 1 WHERE session_key = 1 AND seq = 4" },
    {
      what: "text that is not JSON",
      sql: "UPDATE events SET json = '{', crc = 366298937 WHERE session_key = 1 AND seq = 4",
    },
  ])("by $what serves what is whole, then says what is damaged", async ({ sql }) => {
    const running = await startDamaged(sql);
    const { request } = running;
    const page = await request("/sessions/bad/events", json);
    expect(await seqsOf(page)).toMatchObject({ seqs: [1, 2, 3], head: 10, next: 3 });
    for (const after of [3, 4, 10]) {
      const refused = await request(`/sessions/bad/events?after=${after}`, json);
      expect(refused.status).toBe(409);
      const { error } = (await refused.json()) as WireErrorBody;
      expect(error).toMatchObject({
        code: "session_damaged",
        retryable: false,
        details: { first_seq: 4, last_seq: 4 },
      });
    }
    expect(await streamed(running, "/sessions/bad/events")).toEqual([1, 2, 3]);
    expect(await streamed(running, "/sessions/bad/events?after=1")).toEqual([2, 3]);
    const snapshot = await request("/sessions/bad/snapshot");
    expect(await snapshot.json()).toMatchObject({ seq: 3 });
    expect(await (await request("/sessions/bad")).json()).toMatchObject({
      title: "bad",
      head: 10,
      damage: { first_seq: 4, last_seq: 4 },
    });
    const message = await request("/sessions/bad/message", { json: { message: "hello" } });
    expect(await codeOf(message)).toBe("session_damaged");
    const archive = await request("/sessions/bad/archive", { method: "POST" });
    expect(await codeOf(archive)).toBe("session_damaged");
  });

  test("on a WebSocket gives what is whole, and to a reader that comes back 4409", async () => {
    const { url } = await startDamaged("DELETE FROM events WHERE session_key = 1 AND seq = 4");
    const socketUrl = `${url}/sessions/bad/ws`;
    const first = await openSocket(`${socketUrl}?after=1`);
    expect((await first.closed).code).toBe(1001);
    expect(first.messages).toMatchObject([{ type: "ready" }, { seq: 2 }, { seq: 3 }]);
    const back = await openSocket(`${socketUrl}?after=3`);
    expect((await back.closed).code).toBe(4409);
    expect(back.messages).toMatchObject([
      { type: "damaged", error: { code: "session_damaged", details: { first_seq: 4 } } },
    ]);
  });

  test("is marked in the list beside others that work, and can be deleted", async () => {
    const running = await startDamaged("DELETE FROM events WHERE session_key = 1 AND seq = 4");
    const { request } = running;
    await request("/sessions/bad");
    const list = async () => {
      const answer = await request("/sessions");
      return ((await answer.json()) as { sessions: SessionInfo[] }).sessions;
    };
    const find = async (id: string) => (await list()).find(({ session_id }) => session_id === id);
    expect(await find("bad")).toHaveProperty("damage", { first_seq: 4, last_seq: 4 });
    expect(await find("good")).not.toHaveProperty("damage");
    const sent = await request("/sessions/good/message", { json: { message: "hello" } });
    expect(sent.status).toBe(202);
    expect((await request("/sessions/bad", { method: "DELETE" })).status).toBe(204);
    expect(await find("bad")).toBeUndefined();
    expect((await request("/sessions/bad")).status).toBe(404);
    expect((await request("/sessions/bad", { method: "DELETE" })).status).toBe(404);
    const again = await request("/sessions", { json: { session_id: "bad" } });
    expect(again.status).toBe(201);
  });

  test("whose record is damaged is listed, read and deleted", async () => {
    const { request } = await startDamaged("UPDATE origins SET json = '{' WHERE session_key = 1");
    const answer = await request("/sessions");
    const { sessions } = (await answer.json()) as { sessions: SessionInfo[] };
    expect(sessions.map(({ session_id, damage }) => [session_id, damage])).toEqual([
      ["good", undefined],
      ["bad", {}],
    ]);
    const page = await request("/sessions/bad/events", json);
    expect((await seqsOf(page)).seqs).toHaveLength(10);
    const message = await request("/sessions/bad/message", { json: { message: "hello" } });
    expect(await codeOf(message)).toBe("session_damaged");
    expect((await request("/sessions/bad", { method: "DELETE" })).status).toBe(204);
  });
});

describe("while the store cannot write", () => {
  test("sessions that are not loaded can be read, and work again when it can", async () => {
    const memory = createMemoryStore();
    let isFull = false;
    const refuse = () => Promise.reject(new StoreError("unavailable", "no space left"));
    const plain = interceptAppends(memory, (_batch, go) => (isFull ? refuse() : go()));
    const store = interceptStore(plain, {
      acquireLease: (request) => (isFull ? refuse() : memory.acquireLease(request)),
    });
    const first = await startServer({
      hostOptions: { store: interceptStore(store, { close: async () => {} }) },
    });
    await first.createSession({ session_id: "one" });
    await appendTexts(await first.session("one"), ["a", "b"]);
    await first.server.close();
    isFull = true;
    const running = await startServer({ hostOptions: { store } });
    const { request } = running;
    expect(await (await request("/sessions/one")).json()).toMatchObject({ session_id: "one" });
    expect((await seqsOf(await request("/sessions/one/events", json))).seqs).toEqual([1, 2, 3]);
    expect(await (await request("/sessions/one/snapshot")).json()).toMatchObject({ seq: 3 });
    const stream = await request("/sessions/one/events", {
      headers: { accept: "text/event-stream" },
    });
    expect(stream.status).toBe(200);
    const refused = await request("/sessions/one/message", { json: { message: "hello" } });
    expect(refused.status).toBe(503);
    expect(await codeOf(refused)).toBe("store_unavailable");
    isFull = false;
    const sent = await request("/sessions/one/message", { json: { message: "hello" } });
    expect(sent.status).toBe(202);
    // The stream of the session that could only be read ends: its reader comes back to the real one.
    expect(await stream.text()).toContain("retry:");
    const page = await request("/sessions/one/events", json);
    expect((await seqsOf(page)).seqs.length).toBeGreaterThan(3);
  });
});
