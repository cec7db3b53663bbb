import { describe, expect, test } from "vitest";
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

  test("a snapshot is the folded state at a seq, to go on from", async () => {
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
});
