import { clearTimeout, setTimeout } from "node:timers";
import { beforeEach, expect } from "vitest";
import { describePoll, describeWork, type Poll } from "./pending-work.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Open work when nine tenths of the test's time limit had passed. */
    waitedFor?: string[];
  }
}

type WatchedPoll = typeof expect.poll & { newest: Poll | undefined };

/** Undocumented, but unlike `getActiveResourcesInfo` it names programs and ports. */
type ProcessWithHandles = { _getActiveHandles?(): unknown[] };

/** Files of a worker share one `expect`, which is wrapped once. */
function watchPolls(original: typeof expect.poll): WatchedPoll {
  if ("newest" in original) return original as WatchedPoll;
  const watched = Object.assign(
    (read: () => unknown, options?: Parameters<typeof expect.poll>[1]) => {
      const poll: Poll = {
        site: new Error("poll"),
        attempts: 0,
        lastMs: performance.now(),
        lastValue: "none yet",
      };
      watched.newest = poll;
      return original(async () => {
        poll.attempts += 1;
        poll.lastMs = performance.now();
        poll.lastValue = await read();
        return poll.lastValue;
      }, options);
    },
    { newest: undefined as Poll | undefined },
  );
  // The assertion is typed by what `read` returns, which passes through unchanged.
  return watched as WatchedPoll;
}

const polls = watchPolls(expect.poll);
expect.poll = polls;

function pendingWork(): string[] {
  const handles = (process as ProcessWithHandles)._getActiveHandles?.() ?? [];
  return [
    ...(polls.newest === undefined ? [] : describePoll(polls.newest, performance.now())),
    ...describeWork(handles, process.getActiveResourcesInfo()),
  ];
}

beforeEach(({ task }) => {
  if (!Number.isFinite(task.timeout) || task.timeout <= 0) return;
  const timer = setTimeout(() => {
    task.meta.waitedFor = pendingWork();
  }, task.timeout * 0.9);
  timer.unref();
  return () => clearTimeout(timer);
});
