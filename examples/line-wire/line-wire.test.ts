import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { createClient } from "@turnwire/client";
import { dialectContract } from "@turnwire/conformance";
import { demo } from "@turnwire/runtime/demo";
import { createMemoryStore, createTurnwireServer, type TurnwireServer } from "@turnwire/server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { lineWire } from "./lines.ts";
import { native } from "./native.ts";

const read = (name: string) => readFile(join(import.meta.dirname, name), "utf8");

test("the guide has these files, and the wire and its server have less than a hundred lines", async () => {
  const [lines, serve, ...others] = await Promise.all(
    ["lines.ts", "serve.ts", "lines.test.ts", "native.ts"].map(read),
  );
  const guide = await read("../../docs/guides/write-a-wire.md");
  for (const text of [lines, serve, ...others]) {
    expect(guide).toContain(`\`\`\`ts\n${text}\`\`\`\n`);
  }
  expect(`${lines}${serve}`.split("\n").length - 1).toBeLessThan(100);
});

dialectContract("native of the guide", {
  createDialect: () => native,
  inputs: [{ input: { type: "interrupt" }, command: { type: "interrupt" } }],
});

let server: TurnwireServer;
let url: string;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "turnwire-lines-"));
  const store = createMemoryStore();
  const runtimes = [demo({ delayMs: 0 })];
  server = await createTurnwireServer({ store, runtimes, roots: [directory], wires: [lineWire()] });
  ({ url } = await server.listen());
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const headers = () => ({ authorization: `Bearer ${server.token}` });

interface Line {
  readonly id: string;
  readonly who?: string;
  readonly text?: string;
}

/** The lines of a session as they come, over server-sent events. */
async function* follow(id: string): AsyncGenerator<Line> {
  const answer = await fetch(`${url}/sessions/${id}/lines`, {
    headers: headers(),
  });
  expect(answer.status).toBe(200);
  if (!answer.body) return;
  for await (const line of createInterface({ input: Readable.fromWeb(answer.body) })) {
    if (line.startsWith("data: ")) yield JSON.parse(line.slice("data: ".length));
  }
}

async function firstLines(lines: AsyncGenerator<Line>, count: number): Promise<Line[]> {
  const found: Line[] = [];
  for await (const line of lines) if (found.push(line) === count) break;
  return found;
}

test("a message and its answer are a line each, for a socket and for a stream, live and later", async () => {
  const { session_id: id } = await createClient({
    url,
    token: server.token ?? "",
  }).sessions.create();
  const socket = new WebSocket(`${url.replace("http", "ws")}/lines/${id}`, { headers: headers() });
  onTestFinished(() => socket.close());
  const heard: Line[] = [];
  socket.on("message", (data: Buffer) => heard.push(JSON.parse(data.toString())));
  await once(socket, "open");
  const live = firstLines(follow(id), 2);
  socket.send(JSON.stringify({ text: "hello" }));
  const lines = await live;
  expect(lines).toMatchObject([
    { who: "user", text: "hello" },
    { who: "agent", text: expect.stringContaining("And there is more") },
  ]);
  await expect.poll(() => heard).toEqual(lines);
  expect(await firstLines(follow(id), 2)).toEqual(lines);
  const late = new WebSocket(`${url.replace("http", "ws")}/lines/${id}`, { headers: headers() });
  onTestFinished(() => late.close());
  const opening: Line[] = [];
  late.on("message", (data: Buffer) => opening.push(JSON.parse(data.toString())));
  await expect.poll(() => opening).toEqual(lines);
});

test("it has the gate, the positions and the errors of every wire", async () => {
  const { session_id: id } = await createClient({
    url,
    token: server.token ?? "",
  }).sessions.create();
  expect((await fetch(`${url}/sessions/${id}/lines`)).status).toBe(401);
  const asked = (after: string) =>
    fetch(`${url}/sessions/${id}/lines?after=${after}`, { headers: headers() });
  expect((await asked("never")).status).toBe(400);
  expect((await asked("1000")).status).toBe(412);
  const described = await (await fetch(`${url}/openapi.json`, { headers: headers() })).json();
  expect(described.paths).toHaveProperty(["/sessions/{session_id}/lines", "get"]);
  const socket = new WebSocket(`${url.replace("http", "ws")}/lines/${id}`, { headers: headers() });
  onTestFinished(() => socket.close());
  await once(socket, "open");
  socket.send(JSON.stringify({ text: "" }));
  const [refusal] = await once(socket, "message");
  expect(JSON.parse(String(refusal))).toMatchObject({ error: { code: "invalid_request" } });
  const stranger = new WebSocket(`${url.replace("http", "ws")}/lines/${id}`);
  const [error] = await once(stranger, "error");
  expect(String(error)).toContain("401");
});
