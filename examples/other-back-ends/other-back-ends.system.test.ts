import { demo } from "@turnwire/runtime/demo";
import { execFile, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@turnwire/client";
import { Emitter } from "@turnwire/client/emitter";
import type { SessionEvent } from "@turnwire/protocol";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type TurnwireServer,
} from "@turnwire/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const token = "other-back-ends-test-token-0123456789-abcdefgh";

function isThere(program: string): boolean {
  const { error } = spawnSync(program, ["--version"]);
  if (error) console.warn(`What ${program} would run is not tested: it is missing.`);
  return error === undefined;
}

const [hasCurl, hasPython] = [isThere("curl"), isThere("python3")];

let server: TurnwireServer;
let url: string;

beforeAll(async () => {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  server = await createTurnwireServer({ host, auth: { type: "token", token } });
  ({ url } = await server.listen());
});

afterAll(() => server.close());

/** A session, and how to run a program of this folder on it. */
async function openSession() {
  const client = createClient({ url, token });
  const { session_id: id } = await client.sessions.create();
  const env = { ...process.env, TURNWIRE_URL: url, TURNWIRE_TOKEN: token };
  const start = (program: string, ...args: string[]) =>
    run(program, [...args, id], { env, cwd: import.meta.dirname });
  const state = async () => (await client.sessions.snapshot(id)).state;
  const events = async () => (await client.sessions.eventPage(id, { limit: 1000 })).events;
  return { client, id, start, state, events };
}

/** The properties that a component had, one after another. */
function propsOf(events: readonly SessionEvent[], componentId: string): unknown[] {
  return events.flatMap((event) =>
    event.type === "component_update" && event.data.component_id === componentId
      ? [event.data.props]
      : [],
  );
}

describe.skipIf(!hasCurl)("curl", () => {
  const script = join(import.meta.dirname, "build.sh");

  test("shows a build, reports its progress and takes it away", async () => {
    const { start, state, events } = await openSession();
    await start("sh", script);
    expect(propsOf(await events(), "build")).toEqual([
      { title: "Build", percent: 0 },
      { percent: 50 },
      { percent: 100 },
    ]);
    const { surfaces, shared } = await state();
    expect(surfaces.panel).toEqual([]);
    expect(shared).toEqual({ built: true });
  });

  test("loses no change of others who write at the same time", async () => {
    const { client, id, start, state } = await openSession();
    const emitter = new Emitter<object, { n?: number }>({ client, sessionId: id });
    const count = (now: { n?: number }) => [
      { op: "add" as const, path: "/n", value: (now.n ?? 0) + 1 },
    ];
    const others = Array.from({ length: 20 }, () => emitter.patchState(count));
    await Promise.all([start("sh", script), start("sh", script), ...others]);
    expect((await state()).shared).toEqual({ n: 20, built: true });
  });

  test("ends with the server's reason where it is refused", async () => {
    const { client, id, start } = await openSession();
    await client.sessions.archive(id);
    await expect(start("sh", script)).rejects.toMatchObject({
      code: expect.any(Number),
      stdout: expect.stringContaining("session_archived"),
    });
  });
});

describe.skipIf(!hasPython)("Python's standard library", () => {
  test("shows a table that grows, and counts in the shared state", async () => {
    const { start, state, events } = await openSession();
    await start("python3", "report.py");
    const { surfaces, shared } = await state();
    expect(surfaces.panel).toMatchObject([
      { name: "table", props: { title: "Files", rows: { length: 3 } } },
    ]);
    expect(shared).toEqual({ files: 3 });
    expect(propsOf(await events(), "files")).toHaveLength(4);
  });

  test("loses no count where three programs write at once", async () => {
    const { start, state } = await openSession();
    await Promise.all(Array.from({ length: 3 }, () => start("python3", "report.py")));
    expect((await state()).shared).toEqual({ files: 9 });
  });

  test("asks a person and continues with the answer", async () => {
    const { client, id, start, events } = await openSession();
    const program = start("python3", "approval.py");
    const asked = async () => (await events()).find(({ type }) => type === "interrupt");
    await expect.poll(asked).toMatchObject({
      data: { component_name: "approval", props: { action: "Deploy to production" } },
    });
    // Asked twice it is one question, and each program gets the answer.
    const second = start("python3", "approval.py");
    await client.sessions.answerInterrupt(id, { interrupt_id: "deploy-1", value: "approve" });
    expect((await program).stdout).toBe("answer: approve\n");
    expect((await second).stdout).toBe("answer: approve\n");
    expect((await events()).filter(({ type }) => type === "interrupt")).toHaveLength(1);
    expect((await start("python3", "approval.py")).stdout).toBe("answer: approve\n");
  });

  test("shows the nodes of a graph and what they return", async () => {
    const { start, state } = await openSession();
    const { stdout } = await start("python3", "graph_node.py");
    expect(stdout).toBe("2 steps on tides\n");
    const { surfaces, shared } = await state();
    expect(surfaces.sidebar).toMatchObject([
      { component_id: "plan", props: { title: "plan", percent: 100, note: "done" } },
      { component_id: "write", props: { title: "write", percent: 100, note: "done" } },
    ]);
    expect(shared).toEqual({
      steps: ["Read about tides", "Write it up"],
      text: "2 steps on tides",
    });
  });

  test("shows a node that failed, and lets its error through", async () => {
    const { start, state } = await openSession();
    const program = [
      "import sys; sys.path.insert(0, '.')",
      "from graph_node import shown; from session_ui import SessionUi",
      "shown(SessionUi(sys.argv[1]), 'broken', lambda state: state['nothing'])({})",
    ].join("\n");
    await expect(start("python3", "-c", program)).rejects.toMatchObject({
      stderr: expect.stringContaining("KeyError"),
    });
    expect((await state()).surfaces.sidebar).toMatchObject([
      { component_id: "broken", props: { note: "failed: 'nothing'" } },
    ]);
  });
});
