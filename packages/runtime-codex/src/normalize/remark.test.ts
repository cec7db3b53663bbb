import { expect, test } from "vitest";
import { begin, item, play, root, spawn } from "../test-support/spoken.ts";

test("a sub-agent's name is not the session's title", () => {
  const named = (threadId: string, threadName: string): object => ({
    method: "thread/name/updated",
    params: { threadId, threadName },
  });
  const replay = play(...begin, item("started", spawn));
  expect(replay.take(named("child", "Helper"))).toEqual([]);
  expect(replay.take(named(root, "Ours"))).toMatchObject([
    { type: "session_updated", data: { title: "Ours" } },
  ]);
});
