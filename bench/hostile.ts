/** The time of `/health` while an agent sends commands made to take long, a client floods sockets, and a catalog has patterns without end. */
import { demo } from "@turnwire/runtime/demo";
import type { Runtime } from "@turnwire/runtime";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";
import { kit } from "@turnwire/wire-kit";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { performance } from "node:perf_hooks";
import { WebSocket } from "ws";
import { percentile, publish, round, type Row } from "./report.ts";

const token = "bench-token-0123456789-abcdefghijklmnopqrstuvwxyz";
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
const REQUESTS = 200;
const FRAMES = 20_000;
const COMMANDS = 100;

type Gate = NonNullable<Parameters<Runtime["createRun"]>[0]["gate"]>;
const gates: Gate[] = [];
const scripted = demo({ delayMs: 0 });
/** The demo agent, whose gate is kept for commands of ours. */
const runtime: Runtime = {
  ...scripted,
  createRun(options) {
    if (options.gate) gates.push(options.gate);
    return scripted.createRun(options);
  },
};

const host = createSessionHost({
  store: createMemoryStore(),
  runtimes: [runtime],
  defaultRuntime: runtime.name,
  roots: [tmpdir()],
});
const server = await createTurnwireServer({
  host,
  auth: { type: "token", token },
  wires: [kit()],
});
const { url } = await server.listen();

async function post(path: string, body: object): Promise<{ session_id: string }> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const created: { session_id: string } = JSON.parse(await response.text());
  return created;
}

async function healthTimes(): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < REQUESTS; index++) {
    const begin = performance.now();
    await (await fetch(`${url}/health`)).arrayBuffer();
    times.push(performance.now() - begin);
  }
  return times.toSorted((left, right) => left - right);
}

async function measure(load: string, begin: () => Promise<() => void>): Promise<Row> {
  const end = await begin();
  const times = await healthTimes();
  end();
  return {
    load,
    "p50, ms": round(percentile(times, 0.5), 2),
    "p99, ms": round(percentile(times, 0.99), 2),
    "longest, ms": round(times.at(-1) ?? 0, 2),
  };
}

const sink = (): void => undefined;

/** Globs with many stars, and the largest scripts that are taken. */
async function sendCommands(): Promise<() => void> {
  const { session_id: id } = await post("/sessions", { policy_mode: "planner" });
  await post(`/sessions/${id}/message`, { message: "hello" });
  while (gates.length === 0) await new Promise(setImmediate);
  const [gate] = gates;
  const slow = [
    `cat .${"*''".repeat(20)}!`,
    `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(6)}ls;${" done;".repeat(6)}`,
    `[[ ${"a && ".repeat(12_000)}a ]]`,
    `cat ${Array.from({ length: 400 }, (_, index) => `src/${index}/x`).join(" ")}`,
  ];
  for (let index = 0; index < COMMANDS; index++) {
    const command = slow[index % slow.length] ?? "";
    gate?.judge({ tool: "Bash", input: { command } }).catch(sink);
  }
  return sink;
}

async function floodSocket(): Promise<() => void> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`, { headers });
  await once(socket, "open");
  for (let index = 0; index < FRAMES; index++) {
    socket.send(JSON.stringify({ type: "listSessions", requestId: `${index}` }));
  }
  return () => socket.terminate();
}

async function floodSessionSocket(): Promise<() => void> {
  const { session_id: id } = await post("/sessions", {});
  const socket = new WebSocket(`${url.replace("http", "ws")}/sessions/${id}/ws`, { headers });
  await once(socket, "open");
  for (let index = 0; index < FRAMES; index++) {
    socket.send(JSON.stringify({ type: "rename", title: `${index}` }));
  }
  return () => socket.terminate();
}

async function showEndless(): Promise<() => void> {
  const props_schema = { properties: { a: { pattern: "^(a+)+$" } } };
  const entry = { name: "card", description: "A card.", props_schema, surfaces: ["chat"] };
  const ids = [1, 2, 3, 4, 5].map(() => post("/sessions", { catalog: [entry] }));
  for (const { session_id: id } of await Promise.all(ids)) {
    const command = {
      type: "show_component",
      component_id: "c",
      name: "card",
      props: { a: `${"a".repeat(60)}!` },
    };
    post(`/sessions/${id}/commands`, command).catch(sink);
  }
  return sink;
}

const rows = [
  await measure("none", async () => sink),
  await measure(`${COMMANDS} commands made to take long`, sendCommands),
  await measure(`${FRAMES} frames on a kit's socket`, floodSocket),
  await measure(`${FRAMES} frames on a session's socket`, floodSessionSocket),
  await measure("five patterns without end", showEndless),
  await measure("all of it", async () => {
    const ends = await Promise.all([
      sendCommands(),
      floodSocket(),
      floodSessionSocket(),
      showEndless(),
    ]);
    return () => ends.forEach((end) => end());
  }),
];
publish("hostile", [{ title: "GET /health meanwhile, from the same process", rows }]);
process.exit(0);
