import { describe, expect, test } from "vitest";
import { eventsFromTurns, type PastTurn } from "./past-turn.ts";

const prompt = {
  type: "userMessage",
  id: "m1",
  content: [
    { type: "text", text: "Look at" },
    { type: "localImage", path: "/secret.png" },
  ],
};
const command = { type: "commandExecution", id: "call", command: "ls", status: "inProgress" };

function turn(parts: Partial<PastTurn>): PastTurn {
  return { id: "t1", status: "completed", startedAt: 1_700_000_000, items: [prompt], ...parts };
}

describe("a past turn", () => {
  test("begins with what was said; files are named, not copied", () => {
    const [said, started] = eventsFromTurns("thread", [turn({})]);
    expect(said).toMatchObject({
      type: "user_message",
      data: {
        content: [
          { type: "text", text: "Look at" },
          { type: "text", text: "[localImage]" },
        ],
      },
    });
    expect(started).toMatchObject({ type: "turn_started", data: { turn_id: "t1" } });
  });

  test("without times of its own has those of its turn", () => {
    const events = eventsFromTurns("thread", [turn({})]);
    const times = new Set(events.map(({ ts }) => ts));
    expect([...times]).toEqual(["2023-11-14T22:13:20.000Z"]);
  });

  test("that somebody is still at ends as stopped, and so does its command", () => {
    const events = eventsFromTurns("thread", [
      turn({ status: "inProgress", items: [prompt, command] }),
    ]);
    expect(events.slice(2)).toMatchObject([
      { type: "tool_start", turn_id: "t1", data: { tool_use_id: "call" } },
      { type: "tool_result", turn_id: "t1", data: { tool_use_id: "call", is_error: true } },
      { type: "result", turn_id: "t1", data: { subtype: "interrupted" } },
      { type: "done", turn_id: "t1", data: { stopped: true } },
    ]);
  });

  test("begins with its prompt, also where Codex made room for it first", () => {
    const compaction = { type: "contextCompaction", id: "c" };
    const events = eventsFromTurns("thread", [turn({ items: [compaction, prompt] })]);
    expect(events.map(({ type }) => type)).toEqual([
      "user_message",
      "turn_started",
      "compacted",
      "result",
      "done",
    ]);
  });

  test("that was not asked for is a turn when Codex worked in it", () => {
    const message = { type: "agentMessage", id: "m2", text: "By myself." };
    const events = eventsFromTurns("thread", [turn({ items: [message] })]);
    expect(events[0]).toMatchObject({ type: "turn_started", data: { turn_id: "t1" } });
    expect(events.every(({ turn_id }) => turn_id === "t1")).toBe(true);
    expect(events.at(-1)?.type).toBe("done");
  });
});
