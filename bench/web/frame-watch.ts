import type { CDPSession, Page } from "playwright-core";

/** What a page did while it was watched. */
export interface FrameFigures {
  readonly seconds: number;
  /** Milliseconds between frames, sorted. */
  readonly intervals: readonly number[];
  /** The longest tasks of the main thread over 50 ms, in milliseconds. */
  readonly longTasks: readonly number[];
  /** Milliseconds of CPU that the main thread used. */
  readonly busyMs: number;
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

/** Watches a page's frames while something goes on in it. */
export async function watchFrames(
  page: Page,
  whileDoing: () => Promise<void>,
): Promise<FrameFigures> {
  const devtools = await page.context().newCDPSession(page);
  // Time of the thread itself: what neighbours take of the machine is not counted.
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await busyMs(devtools);
  const start = performance.now();
  await page.evaluate(watching);
  await whileDoing();
  const seen = await page.evaluate<Pick<FrameFigures, "intervals" | "longTasks">>("endWatch()");
  const busy = (await busyMs(devtools)) - before;
  await devtools.detach();
  return {
    seconds: (performance.now() - start) / 1_000,
    intervals: seen.intervals.toSorted((left, right) => left - right),
    longTasks: seen.longTasks.toSorted((left, right) => right - left),
    busyMs: busy,
  };
}

async function busyMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}
