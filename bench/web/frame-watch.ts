import type { CDPSession, Page } from "playwright-core";

/** The work of a page while it was watched. */
export interface FrameFigures {
  readonly seconds: number;
  /** Milliseconds between frames, sorted. */
  readonly intervals: readonly number[];
  /** The longest tasks of the main thread over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
  /** Milliseconds of CPU that the main thread used. */
  readonly busyMs: number;
  /** Milliseconds of CPU of the longest task of the main thread: neighbours do not count in it. */
  readonly longestCpuMs: number;
}

/** The part of Chromium's trace that is read; times are in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Runs in the page, so it is a text: what frames and long tasks there are. */
const watching = `(() => {
  const intervals = [], longTasks = [];
  let last = performance.now(), isOver = false;
  const frame = (now) => {
    intervals.push(now - last);
    last = now;
    if (!isOver) requestAnimationFrame(frame);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(frame); });
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  });
  observer.observe({ type: "longtask" });
  window.endWatch = () => {
    isOver = true;
    for (const { duration } of observer.takeRecords()) longTasks.push(duration);
    return { intervals, longTasks };
  };
})()`;

/** Watches a page's frames while something happens in it. */
export async function watchFrames(
  page: Page,
  whileDoing: () => Promise<void>,
): Promise<FrameFigures> {
  const devtools = await page.context().newCDPSession(page);
  // Time of the thread itself: what neighbours take of the machine is not counted.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const browser = page.context().browser();
  if (!browser) throw new Error("The page has no browser of its own.");
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  const before = await busyMs(devtools);
  const start = performance.now();
  await page.evaluate(watching);
  await whileDoing();
  const seen = await page.evaluate<Pick<FrameFigures, "intervals" | "longTasks">>("endWatch()");
  const busy = (await busyMs(devtools)) - before;
  await devtools.detach();
  const trace = await browser.stopTracing();
  return {
    seconds: (performance.now() - start) / 1_000,
    intervals: seen.intervals.toSorted((left, right) => left - right),
    longTasks: seen.longTasks.toSorted((left, right) => right - left),
    busyMs: busy,
    longestCpuMs: longestTask(trace.toString()),
  };
}

function longestTask(trace: string): number {
  // Chromium's own format, as it has been for years; a trace of another shape ends the bench.
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith("RunTask") && mains.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error("Chromium's trace has no tasks of the page.");
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1_000), 0);
}

async function busyMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}
