import { once } from "node:events";
import { tmpdir } from "node:os";
import { createClient } from "@turnwire/client";
import { claude } from "@turnwire/runtime-claude";
import { codex } from "@turnwire/runtime-codex";
import { demo } from "@turnwire/runtime/demo";
import { createMemoryStore, createTurnwireServer } from "@turnwire/server";
import { kit } from "@turnwire/wire-kit";
import { webkit } from "@turnwire/wire-webkit";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";

test("a store, runtimes and wires are all that an embedder writes; the server has a token of its own", async () => {
  const store = createMemoryStore();
  const server = await createTurnwireServer({
    store,
    runtimes: [claude(), codex(), demo({ delayMs: 0 })],
    wires: [webkit(), kit()],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  onTestFinished(() => server.close());
  const { url } = await server.listen();
  const { token = "" } = server;

  expect((await fetch(`${url}/sessions`)).status).toBe(401);
  const client = createClient({ url, token });
  const { session_id } = await client.sessions.create();
  const session = client.openSession(session_id);
  onTestFinished(() => session.close());
  await session.send("hello");
  const { session: state } = await session.waitFor(
    ({ session: { turn, messages } }) => turn === null && messages.length === 2,
  );
  expect(state.messages.map(({ role }) => role)).toEqual(["user", "agent"]);

  const headers = { authorization: `Bearer ${token}` };
  const webkitStream = await fetch(`${url}/sessions/${session_id}/stream`, { headers });
  expect(webkitStream.headers.get("content-type")).toContain("text/event-stream");
  await webkitStream.body?.cancel();
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  const [first] = await once(socket, "message");
  expect(JSON.parse(String(first))).toMatchObject({ type: "session_state_changed" });
  socket.close();
});

test("a server that cannot be made closes the session host that it made", async () => {
  let isClosed = false;
  const runtime = { ...demo({ delayMs: 0 }), close: async () => void (isClosed = true) };
  const options = { store: createMemoryStore(), runtimes: [runtime] };
  const auth = { type: "token", token: "short" } as const;
  const refusal = { code: "token_weak" };
  await expect(createTurnwireServer({ ...options, auth })).rejects.toMatchObject(refusal);
  expect(isClosed).toBe(true);
});
