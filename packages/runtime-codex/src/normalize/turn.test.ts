import { describe, expect, test } from "vitest";
import {
  begin,
  completed,
  item,
  play,
  root,
  spawn,
  started,
  typesOf,
} from "../test-support/spoken.ts";

describe("the end of a turn", () => {
  test("that is not the one that runs changes nothing", () => {
    const replay = play(...begin);
    expect(replay.take(completed(root, "n0"))).toEqual([]);
    expect(typesOf(replay.take(completed(root, "n1")))).toContain("done");
  });

  test("by a person leaves a sub-agent that lives its tool use", () => {
    const replay = play(...begin, item("started", spawn), started("child", "c1"));
    expect(typesOf(replay.take(completed(root, "n1", "interrupted")))).not.toContain("tool_result");
    const after = replay.take(completed("child", "c1", "interrupted"));
    expect(after).toMatchObject([{ type: "tool_result", data: { tool_use_id: "spawn" } }]);
  });
});
