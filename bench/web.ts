/**
 * The web app in a real Chromium: frames while 200 words a second arrive in a conversation of 20,000
 * lines, while a person scrolls through it, and how soon a session of 10,000 events is shown.
 */
import { openSqliteStore } from "@turnwire/server";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium, type Page } from "playwright-core";
import { median, note, percentile, publish, round, type Row } from "./report.ts";
import { type AppServer, buildApp, startAppServer } from "./web/app-server.ts";
import { type FrameFigures, watchFrames } from "./web/frame-watch.ts";

const streamMs = 15_000;
const openings = 7;
const scrolls = 150;
/** Each has about 500 lines: forty of them are 20,000. */
const longAnswers = 40;
const otherTurns = ["/markdown", "/read", "/tools", "/diff", "/thinking", "/plan"];

/** In the page: when the last message of the open session was painted, since the page was asked for. */
const untilShown = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector("[role=log] article footer")) {
      requestAnimationFrame(() => resolve(performance.now()));
    } else requestAnimationFrame(look);
  };
  look();
})`;

const directory = await mkdtemp(join(tmpdir(), "turnwire-bench-web-"));
const webRoot = join(directory, "app");
const store = await openSqliteStore({ path: join(directory, "store.db") });
note("building the app");
await buildApp(webRoot);

note("writing the logs");
const writer = await startAppServer({ store, directory, webRoot, delayMs: 0 });
const longSession = await writer.newSession("20,000 lines");
for (let count = 0; count < longAnswers; count += 1) {
  await writer.play(longSession, "/long 250");
  for (const text of otherTurns) await writer.play(longSession, text);
}
const eventfulSession = await writer.newSession("10,000 events");
for (let count = 0; count < 130; count += 1) {
  for (const text of otherTurns) await writer.play(eventfulSession, text);
}
const events = await headOf(eventfulSession);
const shortSession = await writer.newSession("Short");
await writer.play(shortSession, "/read");
await writer.close();

// With what timers are late, about one word in 4 to 5 ms.
const server = await startAppServer({ store, directory, webRoot, delayMs: 2 });
const executablePath = execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
await page.goto(await server.loginUrl());
await page.locator("#main").waitFor();

const opened = await measureOpenings(page, server);
const streamed = [
  await measureStream(page, shortSession, "an almost empty conversation"),
  await measureStream(page, longSession, "20,000 lines"),
];
const scrolled = await measureScrolling(page);

await browser.close();
await server.close();
await store.close();
await rm(directory, { recursive: true });
publish("web", [
  { title: "200 words a second", rows: streamed },
  { title: "Scrolling up through 20,000 lines by the wheel", rows: [scrolled] },
  { title: `Until a session of ${events} events is shown, ms`, rows: opened },
]);

async function headOf(sessionId: string): Promise<number> {
  const found = await store.getSession(sessionId);
  return found?.head ?? 0;
}

async function showSession(shown: Page, sessionId: string): Promise<void> {
  await shown.goto(`${server.url}/s/${sessionId}`);
  await shown.locator("[role=log] article footer").last().waitFor();
}

async function measureStream(shown: Page, sessionId: string, into: string): Promise<Row> {
  note(`streaming into ${into}`);
  await showSession(shown, sessionId);
  const before = await headOf(sessionId);
  const isEnded = server.play(sessionId, "/long 5000");
  // The first words of a turn are not yet a stream.
  await setTimeout(1_000);
  const figures = await watchFrames(shown, () => setTimeout(streamMs));
  const words = (await headOf(sessionId)) - before;
  await shown.getByRole("button", { name: /stop/i }).click();
  await isEnded;
  return { into, "words/s": round(words / (figures.seconds + 1), 0), ...rowOf(figures) };
}

async function measureScrolling(shown: Page): Promise<Row> {
  note("scrolling");
  await showSession(shown, longSession);
  await shown.mouse.move(640, 400);
  const figures = await watchFrames(shown, async () => {
    for (let count = 0; count < scrolls; count += 1) await shown.mouse.wheel(0, -400);
  });
  return rowOf(figures);
}

function rowOf({ intervals, longTasks, busyMs, longestCpuMs }: FrameFigures): Row {
  return {
    frames: intervals.length,
    "median between frames, ms": round(percentile(intervals, 0.5), 1),
    "p95, ms": round(percentile(intervals, 0.95), 1),
    "main thread CPU a frame, ms": round(busyMs / intervals.length, 1),
    "longest task, CPU ms": round(longestCpuMs, 1),
    "by the clock, ms": longTasks[0] === undefined ? "none over 50" : round(longTasks[0], 0),
  };
}

async function measureOpenings(shown: Page, { url }: AppServer): Promise<Row[]> {
  note("opening");
  const times: Record<"loaded" | "switched", number[]> = { loaded: [], switched: [] };
  for (let count = 0; count < openings; count += 1) {
    await shown.goto(`${url}/s/${shortSession}`);
    await shown.locator("[role=log] article footer").last().waitFor();
    await shown.locator("nav a", { hasText: "10,000 events" }).waitFor();
    times.switched.push(await shown.evaluate<number>(switchTo("10,000 events")));
    await shown.goto(`${url}/s/${eventfulSession}`);
    times.loaded.push(await shown.evaluate<number>(untilShown));
  }
  return Object.entries(times).map(([way, figures]) => ({
    way: way === "loaded" ? "page loaded at its address" : "chosen in the list",
    median: round(median(figures), 0),
    worst: round(Math.max(...figures), 0),
  }));
}

/** In the page: chooses a session in the list, and how long it took until its messages were painted. */
function switchTo(title: string): string {
  return `new Promise((resolve) => {
    const link = [...document.querySelectorAll("nav a")].find((one) => one.textContent.includes(${JSON.stringify(title)}));
    const before = document.querySelector("[role=log]");
    const start = performance.now();
    link.click();
    const look = () => {
      const list = document.querySelector("[role=log]");
      if (list !== before && list?.querySelector("article footer")) {
        requestAnimationFrame(() => resolve(performance.now() - start));
      } else requestAnimationFrame(look);
    };
    look();
  })`;
}
