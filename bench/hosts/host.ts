/** One host of several: the server as it is shipped, over the Postgres that all of them share. */
import { demo } from "@turnwire/runtime/demo";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { openPostgresStore } from "@turnwire/log/postgres";
import { createTurnwireServer, createSessionHost } from "@turnwire/server";
import type { EventLog } from "@turnwire/log/event-log";
import { sharedNowMs } from "../load/message.ts";
import { deltaDraft } from "../server/delta.ts";
import { wholeLog } from "../server/whole-log.ts";
import { type HostCommand, type HostFigures, type HostReport, token } from "./message.ts";

/** Sessions that are made at the same time. */
const CREATE_AT_ONCE = 8;

const [url = "", root = ""] = process.argv.slice(2);
const startedAtMs = performance.now();
const store = await openPostgresStore({ url });
const runtime = demo();
const host = createSessionHost({
  store,
  runtimes: [runtime],
  defaultRuntime: runtime.name,
  roots: [root],
  maxLiveRuns: 10_000,
  onError: fail,
});
const server = await createTurnwireServer({
  host,
  auth: { type: "token", token },
  keepaliveMs: 3_600_000,
  onError: fail,
});
const logs: EventLog[] = [];

process.on("message", (command: HostCommand) => void perform(command).then(report, fail));
// The measuring process has ended, however it did.
process.on("disconnect", () => process.exit());
const { port } = await server.listen();
report({ type: "listening", port, startMs: performance.now() - startedAtMs });

async function perform(command: HostCommand): Promise<HostReport> {
  switch (command.type) {
    case "create":
      return { type: "created", ids: await create(command.sessions) };
    case "emit":
      await emit(command.eventsEach, command.seconds);
      return { type: "emitted" };
    case "measure":
      return { type: "measured", ...measure(command.collect) };
    case "close":
      await server.close();
      await store.close();
      return { type: "closed" };
  }
}

async function create(sessions: number): Promise<string[]> {
  logs.length = 0;
  const ids: string[] = [];
  let begun = 0;
  const worker = async (): Promise<void> => {
    while (begun < sessions) {
      begun += 1;
      const created = await host.create({}, { id: "local", isAdmin: true });
      if (!created.ok) throw new Error(created.error.message);
      ids.push(created.value.id);
      logs.push(wholeLog(created.value.log));
    }
  };
  await Promise.all(Array.from({ length: CREATE_AT_ONCE }, worker));
  return ids;
}

/** Spread over the time and over the sessions: what is due is made, however late the clock is. */
async function emit(eventsEach: number, seconds: number | undefined): Promise<void> {
  const total = eventsEach * logs.length;
  const perMs = seconds === undefined ? Infinity : total / (seconds * 1000);
  const beganAtMs = sharedNowMs();
  for (let made = 0; made < total;) {
    const elapsedMs = sharedNowMs() - beganAtMs;
    // As an agent does that writes as fast as it can: some words of each, then the others get a turn.
    const due = Math.min(total, perMs === Infinity ? made + 64 : Math.floor(elapsedMs * perMs) + 1);
    for (; made < due; made += 1) {
      logs[made % logs.length]?.append([deltaDraft(`@${sharedNowMs().toFixed(3)} a few words`)]);
    }
    const nextAtMs = perMs === Infinity ? 0 : (made + 1) / perMs;
    await setTimeout(Math.max(0, Math.ceil(beganAtMs + nextAtMs - sharedNowMs())));
  }
}

function measure(collect: boolean): HostFigures {
  const { user, system } = process.cpuUsage();
  if (collect) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return {
    megabytes: (heapUsed + external) / 1e6,
    cpuMs: (user + system) / 1000,
  };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}

function report(message: HostReport): void {
  process.send?.(message);
}

/** A bench in which anything goes wrong has measured nothing. */
function fail(error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  report({ type: "failed", message });
}
