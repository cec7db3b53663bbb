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
      json: patch,
    });
    expect(first.status).toBe(202);
    const { seq } = (await first.json()) as { seq: number };
    const state = await request(`${path}/state`);
    expect(await state.json()).toEqual({ seq, version: 1, state: { count: 1 } });
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

  test("a patch for an older version is 409 with the present one, and changes nothing", async () => {
    const { request, path } = await withSession();
    const patch = (base_version: number, value: string) =>
      request(`${path}/state`, {
        method: "PATCH",
        json: { patches: [{ op: "add", path: "", value }], base_version },
      });
    expect((await patch(0, "first")).status).toBe(202);
    const stale = await patch(0, "stale");
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({
      error: { code: "stale_state", retryable: false, details: { version: 1 } },
    });
    expect((await patch(2, "from the future")).status).toBe(409);
    expect((await patch(1, "second")).status).toBe(202);
    const state = await request(`${path}/state`);
    expect(await state.json()).toMatchObject({ version: 2, state: "second" });
  });

  test("a patch that is sent again with its id is accepted and applied once", async () => {
    const { request, path } = await withSession();
    const send = (value: number) =>
      request(`${path}/state`, {
        method: "PATCH",
        json: {
          patches: [{ op: "add", path: "", value }],
          base_version: 0,
          client_patch_id: "p1",
        },
      });
    const first = (await (await send(1)).json()) as { seq: number };
    const again = await send(1);
    expect(again.status).toBe(202);
    expect(await again.json()).toEqual({ accepted: true, seq: first.seq, duplicate: true });
    const other = await send(2);
    expect(other.status).toBe(409);
    expect(await codeOf(other)).toBe("idempotency_conflict");
    const state = await request(`${path}/state`);
    expect(await state.json()).toMatchObject({ version: 1, state: 1 });
  });

  test.each([{ base_version: -1 }, { base_version: 1.5 }, { client_patch_id: "" }])(
    "a patch with %j is 400 and says where",
    async (wrong) => {
      const { request, path } = await withSession();
      const json = { patches: [{ op: "add", path: "", value: 1 }], ...wrong };
      const answer = await request(`${path}/state`, { method: "PATCH", json });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: { details: { issues: [{ path: Object.keys(wrong)[0] }] } },
      });
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
    expect(await (await request(`${path}/state`)).json()).toMatchObject({ state: {} });
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
