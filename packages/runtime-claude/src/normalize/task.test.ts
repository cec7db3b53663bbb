import { describe, expect, test } from "vitest";
import { claudeNormalizer } from "./normalize.ts";
import { events, ofType, replayOf, typesOf } from "../test-support/replay.ts";
import {
  ask,
  assistant,
  result,
  spawn,
  taskEnded,
  taskStarted,
  toolResult,
  turnSent,
} from "../test-support/spoken.ts";

const text = (words: string) => ({ type: "text", text: words });
const tool = (id: string, name: string, input: object = {}) => ({
  type: "tool_use",
  id,
  name,
  input,
});

describe("a sub-agent", () => {
  test("whose spawn was not seen is announced before it speaks", () => {
    const said = {
      ...assistant("m2", [text("sub")]),
      parent_tool_use_id: "a1",
      subagent_type: "Plan",
    };
    const drafts = events(said);
    expect(typesOf(drafts)).toEqual(["tool_start", "delta"]);
    expect(drafts[0]?.data).toMatchObject({ subagent_spawn: true, subagent_name: "Plan" });
    expect(drafts[1]).toMatchObject({ subagent_id: "a1" });
  });

  test.each(["Agent", "Task"])("is spawned by %s", (name) => {
    const [start] = ofType(events(spawn("a1", name)), "tool_start");
    expect(start?.data).toMatchObject({ subagent_spawn: true, subagent_name: "Explore" });
  });

  test("in the background answers when it is over, not when it is on its way", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const before = events(spawn("a1"), taskStarted("k1", "a1"), launched);
    expect(ofType(before, "tool_result")).toEqual([]);
    const after = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      launched,
      taskEnded("k1", "completed"),
    );
    expect(ofType(after, "tool_result").map(({ data }) => data.output)).toEqual(["the report"]);
  });

  test("that failed in the background is an error", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const drafts = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      launched,
      taskEnded("k1", "failed"),
    );
    expect(ofType(drafts, "tool_result")[0]?.data).toMatchObject({ is_error: true });
  });

  test("asks in its own place", () => {
    const drafts = events(
      spawn("a1"),
      taskStarted("k1", "a1"),
      ask("r1", "Bash", { agentId: "k1" }),
    );
    expect(drafts.at(-1)).toMatchObject({ type: "permission_request", subagent_id: "a1" });
  });

  test("that ends closes its message and its tools first", () => {
    const inner = { ...assistant("m2", [tool("c1", "Bash")]), parent_tool_use_id: "a1" };
    const drafts = events(spawn("a1"), inner, toolResult("a1", { content: "done" }));
    expect(typesOf(drafts).slice(-3)).toEqual(["message_complete", "tool_result", "tool_result"]);
    expect(drafts.at(-2)).toMatchObject({ subagent_id: "a1", data: { is_error: true } });
  });
});

describe("a task", () => {
  test("stays under the turn that started it", () => {
    const { drafts } = replayOf([
      turnSent("t1", "u1"),
      taskStarted("k1", "c1", "local_bash"),
      result("u1"),
      turnSent("t2", "u2"),
      taskEnded("k1", "completed"),
    ]);
    expect(ofType(drafts, "task").map(({ turn_id }) => turn_id)).toEqual(["t1", "t1"]);
  });

  test("of the CLI itself is not reported", () => {
    expect(events({ ...taskStarted("k1", "c1"), ambient: true })).toEqual([]);
  });

  test("stops when the agent is gone, or restarted", () => {
    const started = taskStarted("k1", "c1");
    const [after] = claudeNormalizer.step(claudeNormalizer.initial(), started);
    expect(claudeNormalizer.end(after, { type: "closed" })).toMatchObject([
      { type: "task", data: { task_id: "k1", status: "stopped" } },
    ]);
    const moved = { type: "turnwire/session_moved", provider_session_id: "s2" };
    expect(events(started, moved).slice(1)).toMatchObject([
      { type: "session_updated", data: { provider_session_id: "s2" } },
      { type: "task", data: { status: "stopped" } },
    ]);
  });
});
