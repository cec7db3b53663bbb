/**
 * A session with 500 tool results of 1 MB each: how soon it is shown in the web app, and what ten
 * readers that replay it cost everybody else.
 */
import { draft, type EventDraft } from "@turnwire/protocol";
import { openSqliteStore } from "@turnwire/server";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { chromium } from "playwright-core";
import { wholeLog } from "./server/whole-log.ts";
import { LoadProcess } from "./load/load-process.ts";
import { median, note, publish, round } from "./report.ts";
import { buildApp, startAppServer } from "./web/app-server.ts";

const turns = 50;
const resultsOfTurn = 10;
const resultBytes = 1_000_000;
const readers = 10;
const openings = 5;

/** In the page: when the last message of the open session was painted, since the page was asked for. */
const untilShown = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("[role=log] article footer")) {
      requestAnimationFrame(() => resolve(performance.now()));
    } else requestAnimationFrame(look);
  };
  look();
})`;

const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-large-"));
const webRoot = join(directory, "app");
const store = await openSqliteStore({ path: join(directory, "store.db") });
note("building the app");
await buildApp(webRoot);
const server = await startAppServer({ store, directory, webRoot, delayMs: 0 });
const sessionId = await server.newSession("500 results of 1 MB");

note("writing the log");
const session = await server.session(sessionId);
const writingStartedAt = performance.now();
for (let turn = 0; turn < turns; turn += 1) {
  for (const event of eventsOf(turn)) await wholeLog(session.log).append([event]).committed;
}
const writtenInMs = performance.now() - writingStartedAt;

const opened = await measureOpenings();
const replayed = await measureReplay();
await server.close();
await store.close();
await rm(directory, { recursive: true });
const results = turns * resultsOfTurn;
publish("large-results", [
  {
    title: `${results} tool results of ${resultBytes / 1_000_000} MB`,
    rows: [{ "written in s": round(writtenInMs / 1000, 1), ...opened }],
  },
  { title: `${readers} readers replay all of it at once`, rows: [replayed] },
]);

function eventsOf(turn: number): EventDraft[] {
  const turn_id = `turn ${turn}`;
  const message_id = `message ${turn}`;
  const content = [{ type: "text" as const, text: "go on" }];
  const uses = Array.from({ length: resultsOfTurn }, (_, index) => `${turn}.${index}`);
  return [
    draft("user_message", { message_id, content, delivery: "turn" }),
    draft("turn_started", { turn_id, message_id }, { turn_id }),
    ...uses.flatMap((tool_use_id) => [
      draft(
        "tool_start",
        { message_id: "m", tool_use_id, tool: "Bash", command: `cat ${tool_use_id}` },
        { turn_id },
      ),
      draft(
        "tool_result",
        { tool_use_id, output: outputOf(tool_use_id), is_error: false },
        { turn_id },
      ),
    ]),
    draft("delta", { message_id: "m", text: "That is all of it." }, { turn_id }),
    draft("result", { turn_id, subtype: "success", is_error: false }, { turn_id }),
    draft("done", { turn_id }, { turn_id }),
  ];
}

/** Lines that no other result has, so that each is stored. */
function outputOf(id: string): string {
  const line = `result ${id}: some words as a command prints them\n`;
  return line.repeat(Math.ceil(resultBytes / line.length));
}

async function measureOpenings() {
  note("opening in the app");
  const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(await server.loginUrl());
  await page.locator("#main").waitFor();
  const times: number[] = [];
  for (let count = 0; count < openings; count += 1) {
    await page.goto(`${server.url}/s/${sessionId}`);
    times.push(await page.evaluate<number>(untilShown));
  }
  await browser.close();
  return {
    "shown in the app, median ms": round(median(times), 0),
    "worst ms": round(Math.max(...times), 0),
  };
}

async function askHealth(): Promise<number> {
  const askedAt = performance.now();
  await (await fetch(`${server.url}/health`)).arrayBuffer();
  return performance.now() - askedAt;
}

async function measureReplay() {
  note("replaying");
  const load = new LoadProcess();
  const lastSeq = session.log.head;
  const { port } = new URL(server.url);
  const streams = [{ request: server.requestFor(sessionId), readers }];
  await load.connect({ port: Number(port), streams, lastSeq });
  // The first calls of `fetch` only load it.
  for (let count = 0; count < 10; count += 1) await askHealth();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let peak = before;
  const done = new AbortController();
  const health: number[] = [];
  const watching = (async () => {
    while (!done.signal.aborted) {
      health.push(await askHealth());
      peak = Math.max(peak, process.memoryUsage().rss);
    }
  })();
  delay.enable();
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  load.ask();
  const { bytes } = await load.done();
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpuBefore);
  done.abort();
  await watching;
  delay.disable();
  await load.disconnect();
  await load.stop();
  return {
    "until all have all, ms": round(ms, 0),
    "CPU ms": round((user + system) / 1000, 0),
    "MB over the wire": round(bytes / 1_000_000, 1),
    "longest answer of /health, ms": round(Math.max(...health), 0),
    "longest block of the event loop, ms": round(delay.max / 1_000_000, 0),
    "peak growth of memory, MB": round((peak - before) / 1_000_000, 0),
  };
}
