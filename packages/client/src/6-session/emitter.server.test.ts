import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../client.ts";
import { Emitter } from "../emitter.ts";

const token = "emitter-test-token-0123456789-abcdefghijklmnop";

interface Components {
  progress: { done: number; total: number };
  table: { rows: string[] };
}

interface State {
  count?: number;
}

/** A real server, a session on it, and emitters of two programs. */
async function open() {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const client = createClient({ url, token });
  const { session_id: sessionId } = await client.sessions.create();
  const emitter = new Emitter<Components, State>({ client, sessionId });
  const other = new Emitter<Components, State>({ client, sessionId });
  const surfaces = async () => (await client.sessions.snapshot(sessionId)).state.surfaces;
  return { client, sessionId, emitter, other, surfaces };
}

const count = (state: State) => [
  { op: "add" as const, path: "/count", value: (state.count ?? 0) + 1 },
];

describe("an emitter", () => {
  test("shows a component, changes it, moves it and removes it, in the order of the calls", async () => {
    const { emitter, surfaces } = await open();
    const bar = await emitter.show("progress", { done: 0, total: 3 }, { surface: "panel" });
    expect(bar.id).toBe("progress");
    // No one waits for these.
    const calls = [
      bar.update({ done: 1 }),
      bar.patch({ op: "replace", path: "/done", value: 2 }),
      bar.update({ total: 4 }),
      bar.move("sidebar"),
    ];
    await Promise.all(calls);
    expect(await surfaces()).toMatchObject({
      panel: [],
      sidebar: [{ component_id: "progress", name: "progress", props: { done: 2, total: 4 } }],
    });
    await bar.remove();
    await bar.remove();
    expect((await surfaces()).sidebar).toEqual([]);
  });

  test("has as many of a component as it has ids", async () => {
    const { emitter, surfaces } = await open();
    await emitter.show("table", { rows: [] }, { surface: "panel", id: "a" });
    await emitter.show("table", { rows: [] }, { surface: "panel", id: "b" });
    await emitter.show("table", { rows: ["new"] }, { id: "a" });
    expect((await surfaces()).panel).toMatchObject([
      { component_id: "a", props: { rows: ["new"] } },
      { component_id: "b" },
    ]);
  });

  test("continues after a call that was refused", async () => {
    const { emitter, surfaces } = await open();
    const refused = emitter.show("table", { rows: [] });
    const shown = emitter.show("progress", { done: 0, total: 1 }, { surface: "panel" });
    await expect(refused).rejects.toMatchObject({ error: { code: "invalid_request" } });
    await shown;
    expect((await surfaces()).panel).toHaveLength(1);
  });

  test("loses no change of the shared state, whoever else changes it", async () => {
    const { emitter, other } = await open();
    expect(await emitter.state()).toEqual({});
    await Promise.all(
      Array.from({ length: 6 }, (_, index) => (index % 2 ? emitter : other).patchState(count)),
    );
    expect(await emitter.state()).toEqual({ count: 6 });
    await emitter.patchState([{ op: "replace", path: "/count", value: 0 }]);
    await emitter.patchState(() => []);
    expect(await other.state()).toEqual({ count: 0 });
  });
});
