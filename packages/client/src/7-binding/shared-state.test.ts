import type { CommandOf, EventDraft, JsonValue } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { createHastyPlatform } from "../test-support/hasty-platform.ts";
import { placed, ready } from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";
import { SharedState } from "./shared-state.ts";

let server: ScriptedServer;
let sessionCount = 0;

beforeAll(async () => {
  server = await ScriptedServer.start();
});

afterAll(() => server.close());

function set(state: JsonValue): EventDraft {
  return { type: "state_snapshot", data: { state } };
}

function others(...patches: CommandOf<"state_patch">["patches"]): EventDraft[] {
  return [{ type: "state_delta", data: { patches } }];
}

/** A session with this shared state, all that its readers were shown, and what was sent. */
async function open(state: JsonValue) {
  const id = `s${++sessionCount}`;
  const remote = server.addSession(id, placed([ready, set(state)]));
  const { platform } = createHastyPlatform();
  const client = createClient({ url: server.url, token: server.token, ...platform });
  const session = client.openSession(id);
  onTestFinished(() => session.close());
  await session.waitFor(({ connection }) => connection.status === "live");
  const shared = SharedState.of(session);
  const shown: JsonValue[] = [];
  onTestFinished(shared.subscribe(() => shown.push(shared.getState())));
  const sent = () =>
    server.seenAt(`/${id}/commands`).map(({ body }) => body as CommandOf<"state_patch">);
  return { id, remote, session, shared, shown, sent };
}

const count = (state: JsonValue) =>
  [{ op: "replace", path: "/n", value: Number(Object(state).n) + 1 }] as const;

describe("a change of the shared state", () => {
  test("is shown at once, and once, and is sent with the version that it is for", async () => {
    const { session, shared, shown, sent } = await open({ list: [] });
    const accepted = shared.patch([{ op: "add", path: "/list/-", value: "mine" }]);
    expect(shared.getState()).toEqual({ list: ["mine"] });
    expect(session.getState().session.shared).toEqual({ list: [] });
    const { seq } = await accepted;
    await session.waitFor((view) => view.session.seq >= seq);
    expect(session.getState().session.shared).toEqual({ list: ["mine"] });
    expect(shown.map((state) => JSON.stringify(state))).toEqual(
      shown.map(() => '{"list":["mine"]}'),
    );
    expect(sent()).toMatchObject([{ base_version: 1, client_patch_id: expect.any(String) }]);
  });

  test("whose answer gets lost is sent again and applied once", async () => {
    const { id, remote, shared } = await open({ list: [] });
    server.fail(`/${id}/commands`, { type: "drop_before" }, { type: "drop_after" });
    await shared.patch([{ op: "add", path: "/list/-", value: "mine" }]);
    expect(remote.state.shared).toEqual({ list: ["mine"] });
  });

  test("that does not apply is not shown, and its author is given the server's reason", async () => {
    const { shared } = await open({ n: 1 });
    const refused = shared.patch([{ op: "remove", path: "/nothing" }]);
    expect(shared.getState()).toEqual({ n: 1 });
    await expect(refused).rejects.toMatchObject({ error: { code: "invalid_request" } });
  });

  test("that is refused after it was shown is taken back, and the next one continues", async () => {
    const { id, shared, shown } = await open({ n: 1 });
    const full = JSON.stringify({
      error: { code: "payload_too_large", message: "Too large.", retryable: false },
    });
    server.fail(`/${id}/commands`, { type: "answer", status: 413, body: full });
    await expect(shared.patch(count)).rejects.toMatchObject({
      error: { code: "payload_too_large" },
    });
    await expect.poll(() => shared.getState()).toEqual({ n: 1 });
    expect(shown).toEqual([{ n: 2 }, { n: 1 }]);
    await shared.patch(count);
    expect(shared.getState()).toEqual({ n: 2 });
  });

  test("is made again where another writer was faster", async () => {
    const { remote, shared, sent } = await open({ n: 1 });
    remote.races.push(others({ op: "replace", path: "/n", value: 10 }));
    await shared.patch(count);
    expect(remote.state.shared).toEqual({ n: 11 });
    expect(sent().map(({ base_version }) => base_version)).toEqual([1, 2]);
    expect(new Set(sent().map((command) => command.client_patch_id)).size).toBe(1);
  });

  test("as plain operations follows the item that a person meant", async () => {
    const { remote, shared } = await open({ todos: [{ text: "a" }, { text: "b" }] });
    remote.races.push(others({ op: "add", path: "/todos/0", value: { text: "new" } }));
    await shared.patch([{ op: "add", path: "/todos/1/done", value: true }]);
    expect(remote.state.shared).toEqual({
      todos: [{ text: "new" }, { text: "a" }, { text: "b", done: true }],
    });
  });

  test("of an item that another has removed is refused, and nothing else is changed", async () => {
    const { remote, shared } = await open({ todos: [{ text: "a" }, { text: "b" }] });
    remote.races.push(others({ op: "remove", path: "/todos/1" }));
    const refused = shared.patch([{ op: "add", path: "/todos/1/done", value: true }]);
    await expect(refused).rejects.toMatchObject({
      code: "wire",
      error: { code: "stale_state", details: { version: 2 } },
    });
    expect(remote.state.shared).toEqual({ todos: [{ text: "a" }] });
    await expect.poll(() => shared.getState()).toEqual({ todos: [{ text: "a" }] });
  });

  test("stays over what others change meanwhile", async () => {
    const { id, remote, session, shared } = await open({ n: 1 });
    server.fail(`/${id}/commands`, { type: "hang" });
    void shared.patch(count).catch(() => undefined);
    remote.append(...others({ op: "replace", path: "/n", value: 5 }));
    await session.waitFor((view) => view.session.shared_version === 2);
    expect(shared.getState()).toEqual({ n: 6 });
  });

  test("is sent after the one before it, and both are for the version that they find", async () => {
    const { remote, shared, sent } = await open({ n: 1 });
    const all = Promise.all([shared.patch(count), shared.patch(count), shared.patch(count)]);
    expect(shared.getState()).toEqual({ n: 4 });
    await all;
    expect(remote.state.shared).toEqual({ n: 4 });
    expect(sent().map(({ base_version }) => base_version)).toEqual([1, 2, 3]);
  });

  test("that changes nothing is not sent", async () => {
    const { session, shared, sent } = await open({ n: 1 });
    const { seq } = session.getState().session;
    expect(await shared.patch(() => [])).toEqual({ accepted: true, seq });
    expect(sent()).toEqual([]);
  });

  test("whose author throws is refused to that one, and readers see the state without it", async () => {
    const { shared } = await open({ n: 1 });
    const refused = shared.patch(() => {
      throw new Error("Not for this state");
    });
    expect(shared.getState()).toEqual({ n: 1 });
    await expect(refused).rejects.toThrow("Not for this state");
  });

  test("that others are always faster than ends, and says so", async () => {
    const { remote, shared, sent } = await open({ n: 1 });
    const race = others({ op: "replace", path: "/n", value: 0 });
    remote.races.push(...Array.from({ length: 30 }, () => race));
    await expect(shared.patch(count)).rejects.toMatchObject({ error: { code: "stale_state" } });
    expect(sent()).toHaveLength(20);
  });

  test("is shown to all who read the session here", async () => {
    const { session, shared } = await open({ n: 1 });
    expect(SharedState.of(session)).toBe(shared);
  });
});
