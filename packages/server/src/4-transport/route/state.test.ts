import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { wholeLog } from "../../../../log/src/test-support/whole-log.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";

async function withSession() {
  const running = await startServer();
  const id = await running.createSession();
  return { ...running, id, path: `/sessions/${id}` };
}

describe("a session's state over HTTP", () => {
  test("a patch of the shared state is accepted and seen", async () => {
    const { request, path } = await withSession();
    const patch = [{ op: "add", path: "/count", value: 1 }];
    const first = await request(`${path}/state`, {
      method: "PATCH",
      json: [{ op: "replace", path: "", value: {} }, ...patch],
    });
    expect(first.status).toBe(202);
    const { seq } = (await first.json()) as { seq: number };
    const state = await request(`${path}/state`);
    expect(await state.json()).toEqual({ seq, state: { count: 1 } });
  });

  test.each([{}, [], [{ op: "add" }], [{ op: "none", path: "/x" }], "text"])(
    "the patch %j is 400",
    async (json) => {
      const { request, path } = await withSession();
      const answer = await request(`${path}/state`, { method: "PATCH", json });
      expect(answer.status).toBe(400);
      expect(await codeOf(answer)).toBe("invalid_request");
    },
  );

  test("a snapshot is the folded state at a seq, to continue from", async () => {
    const { request, path, id } = await withSession();
    const answer = await request(`${path}/snapshot`);
    expect(answer.status).toBe(200);
    const { seq, epoch, state } = (await answer.json()) as {
      seq: number;
      epoch: string;
      state: { seq: number; session: { session_id: string } };
    };
    expect(seq).toBe(state.seq);
    expect(state.session.session_id).toBe(id);
    const rest = await request(`${path}/events?after=${seq}&epoch=${epoch}`, {
      headers: { accept: "application/json" },
    });
    expect(await rest.json()).toMatchObject({ events: [], epoch, head: seq });
  });

  test("a patch that copies the state into itself 40 times is 400, and everything continues", async () => {
    const { request, path } = await withSession();
    const copies = Array.from({ length: 40 }, (_, index) => {
      return { op: "copy", from: "", path: `/copy${index}` };
    });
    const json = [{ op: "add", path: "", value: { text: "boom" } }, ...copies];
    const answer = await request(`${path}/state`, { method: "PATCH", json });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain("larger than");
    expect(await (await request(`${path}/state`)).json()).toMatchObject({ state: null });
    expect((await request(`${path}/snapshot`)).status).toBe(200);
  });

  test("a state that is too large for one answer is 413, and its events can still be read", async () => {
    const { request, path, id, session } = await withSession();
    const log = wholeLog((await session(id)).log);
    const content = [{ type: "text" as const, text: "x".repeat(250_000) }];
    for (let count = 0; count < 280; count += 1) {
      const message = { message_id: `m${count}`, content, delivery: "turn" as const };
      await log.append([draft("user_message", message)]).committed;
    }
    const answer = await request(`${path}/snapshot`);
    expect(answer.status).toBe(413);
    expect(await codeOf(answer)).toBe("payload_too_large");
    const headers = { accept: "application/json" };
    const page = (await (await request(`${path}/events?after=1`, { headers })).json()) as {
      events: { seq: number }[];
      next: number;
    };
    expect(page.events.length).toBeGreaterThan(10);
    expect(page.events.length).toBeLessThan(20);
    expect(page.next).toBe(page.events.length + 1);
  });
});
