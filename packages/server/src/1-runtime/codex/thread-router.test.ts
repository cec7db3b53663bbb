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

function openRouter(parents: Readonly<Record<string, string>> = {}) {
  const unclaimed: ThreadMessage[] = [];
  const router = new ThreadRouter({
    parentOf: async (threadId) => parents[threadId],
    onUnclaimed: (message) => unclaimed.push(message),
  });
  const readers = new Map<string, ThreadMessage[]>();
  const claim = (threadId: string): ThreadMessage[] => {
    const read: ThreadMessage[] = [];
    readers.set(threadId, read);
    router.claim(threadId, (message) => read.push(message));
    return read;
  };
  return { router, unclaimed, claim };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the messages of one process", () => {
  test("go to the run of their thread only", () => {
    const { router, claim } = openRouter();
    const [one, two] = [claim("one"), claim("two")];
    router.route(said("one", "a"));
    router.route(said("two", "b"));
    expect([one, two]).toEqual([[said("one", "a")], [said("two", "b")]]);
  });

  test("of a thread are kept until its run claims it, in order", () => {
    const { router, claim } = openRouter();
    router.route(said("one", "a"));
    router.route(said("one", "b"));
    expect(claim("one")).toEqual([said("one", "a"), said("one", "b")]);
  });

  test("of a sub-agent go to the run above, also those that came before it was announced", () => {
    const { router, claim } = openRouter();
    const one = claim("one");
    router.route(said("child", "early"));
    router.route(spawned("one", "child"));
    router.route(said("child", "late"));
    expect(one).toEqual([spawned("one", "child"), said("child", "early"), said("child", "late")]);
  });

  test("of a sub-agent that nobody announces find the run above by asking", async () => {
    const { router, claim, unclaimed } = openRouter({ child: "one" });
    const one = claim("one");
    router.route(said("child", "a"));
    await settled();
    expect(one).toEqual([said("child", "a")]);
    expect(unclaimed).toEqual([]);
  });

  test("that belong to nobody are told as such, so that a request among them is refused", async () => {
    const { router, unclaimed } = openRouter();
    const request = { ...said("lost", "a"), id: 0 };
    router.route(request);
    router.route(said(undefined, "b"));
    await settled();
    expect(unclaimed).toEqual([said(undefined, "b"), request]);
  });
});
