import { demo } from "@turnwire/runtime/demo";
import { tmpdir } from "node:os";
import { createClient } from "@turnwire/client";
import { SharedState } from "@turnwire/client/binding";
import type { JsonValue } from "@turnwire/protocol";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { expect, onTestFinished, test } from "vitest";

const token = "state-test-token-0123456789-abcdefghijklmnopqr";

async function openServer() {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  onTestFinished(() => server.close());
  const { session_id: id } = await createClient({ url, token }).sessions.create();
  return { url, id };
}

/** A page of its own, with its own connection. */
async function openPage({ url, id }: { readonly url: string; readonly id: string }) {
  const session = createClient({ url, token }).openSession(id);
  onTestFinished(() => session.close());
  await session.waitFor(({ connection }) => connection.status === "live");
  return { session, shared: SharedState.of(session) };
}

const counted = (state: JsonValue) => [
  { op: "add" as const, path: "/n", value: Number(Object(state).n ?? 0) + 1 },
];

test("pages that all change the shared state at once lose none of their changes", async () => {
  const server = await openServer();
  const pages = await Promise.all([openPage(server), openPage(server), openPage(server)]);
  const changes = pages.flatMap(({ shared }) =>
    Array.from({ length: 5 }, () => shared.patch(counted)),
  );
  await Promise.all(changes);
  for (const { session, shared } of pages) {
    const { session: state } = await session.waitFor((view) => view.session.shared_version >= 15);
    expect(state.shared).toEqual({ n: 15 });
    expect(state.shared_version).toBe(15);
    await expect.poll(() => shared.getState()).toEqual({ n: 15 });
  }
});

test("a page continues with what the agent wrote meanwhile", async () => {
  const server = await openServer();
  const { session, shared } = await openPage(server);
  await session.send("/state");
  const { session: before } = await session.waitFor((view) => view.session.shared_version > 0);
  const tick = shared.patch([{ op: "replace", path: "/todos/1/done", value: true }]);
  expect(shared.getState()).toHaveProperty("todos.1.done", true);
  await tick;
  const { session: after } = await session.waitFor(
    (view) => view.session.shared_version > before.shared_version && view.session.turn === null,
  );
  expect(after.shared).toHaveProperty("todos.1.done", true);
});
