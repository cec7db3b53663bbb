import { describe, expect, test } from "vitest";
import { type ThreadMessage, ThreadRouter } from "./thread-router.ts";

function said(threadId: string | undefined, text: string): ThreadMessage {
  return { method: "item/agentMessage/delta", params: { threadId, delta: text } };
}

function spawned(parent: string, child: string): ThreadMessage {
  const agent = { kind: "started", agentThreadId: child, agentPath: "/root/helper" };
  const item = { type: "subAgentActivity", id: "call", ...agent };
  return { method: "item/started", params: { threadId: parent, turnId: "turn", item } };
}

/** The older way to report a sub-agent: only when it has been spawned. */
function spawnedLate(parent: string, child: string): ThreadMessage {
  const call = { tool: "spawnAgent", status: "completed", receiverThreadIds: [child] };
  const item = { type: "collabAgentToolCall", id: "call", ...call };
  return { method: "item/completed", params: { threadId: parent, turnId: "turn", item } };
}

function openRouter(parents: Readonly<Record<string, string>> = {}) {
  const unclaimed: ThreadMessage[] = [];
  const router = new ThreadRouter({
    parentOf: async (threadId) => {
      if (threadId === "unreadable") throw new Error("It cannot be read.");
      return parents[threadId];
    },
    onUnclaimed: (message) => unclaimed.push(message),
  });
  const readers = new Map<string, ThreadMessage[]>();
  const claim = (threadId: string): ThreadMessage[] => {
    const read: ThreadMessage[] = [];
    readers.set(threadId, read);
    router.claim(threadId, (message) => void read.push(message));
    return read;
  };
  return { router, unclaimed, claim };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the messages of one process", () => {
  test("go to the run of their thread only", () => {
    const { router, claim } = openRouter();
    const [one, two] = [claim("one"), claim("two")];
    void router.route(said("one", "a"));
    void router.route(said("two", "b"));
    expect([one, two]).toEqual([[said("one", "a")], [said("two", "b")]]);
  });

  test("of a thread are kept until its run claims it, in order", () => {
    const { router, claim } = openRouter();
    void router.route(said("one", "a"));
    void router.route(said("one", "b"));
    expect(claim("one")).toEqual([said("one", "a"), said("one", "b")]);
  });

  test("of a sub-agent go to the run above, also those that came before it was announced", () => {
    const { router, claim } = openRouter();
    const one = claim("one");
    void router.route(said("child", "early"));
    void router.route(spawned("one", "child"));
    void router.route(said("child", "late"));
    expect(one).toEqual([spawned("one", "child"), said("child", "early"), said("child", "late")]);
  });

  test("of a sub-agent that is not announced find the run above by asking", async () => {
    const { router, claim, unclaimed } = openRouter({ child: "one" });
    const one = claim("one");
    void router.route(said("child", "a"));
    await settled();
    expect(one).toEqual([said("child", "a")]);
    expect(unclaimed).toEqual([]);
  });

  test("that belong to no run are reported as such, so that a request among them is refused", async () => {
    const { router, unclaimed } = openRouter();
    const request = { ...said("lost", "a"), id: 0 };
    void router.route(request);
    void router.route(said(undefined, "b"));
    await settled();
    expect(unclaimed).toEqual([said(undefined, "b"), request]);
  });

  test("of a thread that cannot be looked up are reported as belonging to no run", async () => {
    const { router, unclaimed } = openRouter();
    void router.route(said("unreadable", "a"));
    await settled();
    expect(unclaimed).toEqual([said("unreadable", "a")]);
  });

  test("of a sub-agent that is reported when it has been spawned go to the run above", () => {
    const { router, claim } = openRouter();
    const one = claim("one");
    void router.route(spawnedLate("one", "child"));
    void router.route(said("child", "a"));
    expect(one.at(-1)).toEqual(said("child", "a"));
  });

  test("of a sub-agent that names itself still go to the run above", () => {
    const { router, claim } = openRouter();
    const one = claim("one");
    void router.route(spawned("one", "child"));
    void router.route(spawned("child", "child"));
    void router.route(said("child", "a"));
    expect(one.at(-1)).toEqual(said("child", "a"));
  });

  test("of threads that name each other in a circle belong to no run", async () => {
    const { router, unclaimed } = openRouter();
    router.adopt("left", "right");
    router.adopt("right", "left");
    void router.route(said("left", "a"));
    await settled();
    expect(unclaimed).toEqual([said("left", "a")]);
  });

  test("that were kept are given out once", () => {
    const { router, claim } = openRouter();
    void router.route(said("one", "a"));
    expect(claim("one")).toEqual([said("one", "a")]);
    expect(claim("one")).toEqual([]);
  });

  test("of a thread that is not claimed are kept up to a bound", () => {
    const { router, claim, unclaimed } = openRouter();
    for (let index = 0; index <= 10_000; index += 1) void router.route(said("one", String(index)));
    expect(unclaimed).toEqual([said("one", "10000")]);
    expect(claim("one")).toHaveLength(10_000);
  });
});

describe("a run that leaves its thread", () => {
  test("hears nothing more of it, and what comes belongs to no run", async () => {
    const { router, unclaimed } = openRouter();
    const heard: ThreadMessage[] = [];
    const reader = (message: ThreadMessage): void => void heard.push(message);
    router.claim("one", reader);
    router.leave("one", reader);
    void router.route(said("one", "a"));
    await settled();
    expect(heard).toEqual([]);
    expect(unclaimed).toEqual([said("one", "a")]);
  });

  test("does not take it from the next run", () => {
    const { router, claim } = openRouter();
    const earlier = (): void => undefined;
    router.claim("one", earlier);
    const later = claim("one");
    router.leave("one", earlier);
    void router.route(said("one", "a"));
    expect(later).toEqual([said("one", "a")]);
  });

  test("does not leave it to another that had named it as its sub-agent", async () => {
    const { router, claim, unclaimed } = openRouter();
    const other = claim("other");
    const reader = (): void => undefined;
    router.claim("one", reader);
    router.adopt("one", "other");
    router.leave("one", reader);
    void router.route(said("one", "a"));
    await settled();
    expect(other).toEqual([]);
    expect(unclaimed).toEqual([said("one", "a")]);
  });
});

test("a message about the account reaches every thread", () => {
  const { router, claim, unclaimed } = openRouter();
  const read = [claim("one"), claim("two")];
  const message = { method: "account/rateLimits/updated", params: { rateLimits: {} } };
  void router.route(message);
  expect(read).toEqual([[message], [message]]);
  expect(unclaimed).toEqual([]);
});
