import { checkGrammar } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { events, ofType, replayOf, typesOf } from "../test-support/replay.ts";
import {
  assistant,
  result,
  settled,
  spawn,
  state,
  stream,
  taskEnded,
  taskStarted,
  toolResult,
  turnSent,
} from "../test-support/spoken.ts";

const text = (words: string) => ({ type: "text", text: words });

describe("a turn", () => {
  test("is not over with a result: what a person said meanwhile follows", () => {
    const steer = { type: "turnwire/steer_sent", uuid: "u2" };
    const drafts = events(steer, result("u1"), settled("u1"), state("idle"), state("running"));
    expect(typesOf(drafts)).not.toContain("done");
    const all = events(
      steer,
      result("u1"),
      settled("u1"),
      result("u2"),
      settled("u2"),
      state("idle"),
    );
    expect(ofType(all, "result")).toHaveLength(1);
    expect(typesOf(all).at(-1)).toBe("done");
  });

  test("is not ended by the idleness that came before it", () => {
    expect(typesOf(events(state("idle")))).toEqual([]);
  });

  test("sums up what its results cost", () => {
    const drafts = events(result("u1", 0.5), result("u1", 0.75), settled("u1"), state("idle"));
    expect(ofType(drafts, "result")[0]?.data).toMatchObject({ total_cost_usd: 0.75 });
    expect(ofType(drafts, "usage")[0]?.data).toMatchObject({ total_cost_usd: 0.75 });
  });

  test("ends with its result where the CLI does not report that it is idle", () => {
    const { drafts } = replayOf([turnSent("t1", "u1"), result("u1")]);
    expect(typesOf(drafts)).toEqual(["result", "usage", "done"]);
  });

  test("waits for agents in the background also there", () => {
    const launched = toolResult("a1", { details: { status: "async_launched" } });
    const begun = [turnSent("t1", "u1"), spawn("a1"), taskStarted("k1", "a1"), launched];
    expect(typesOf(replayOf([...begun, result("u1")]).drafts)).not.toContain("done");
    const over = [...begun, result("u1"), taskEnded("k1", "completed"), result()];
    expect(typesOf(replayOf(over).drafts).at(-1)).toBe("done");
  });

  test("that a person stopped is not an error, whatever the CLI calls it", () => {
    const aborted = {
      ...result("u1"),
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "aborted_tools",
      errors: ["[diagnostic]"],
    };
    const drafts = events(aborted, settled("u1"), state("idle"));
    expect(typesOf(drafts)).toEqual(["result", "usage", "done"]);
    expect(drafts[0]?.data).toMatchObject({ subtype: "interrupted", is_error: false });
    expect(drafts[2]?.data).toEqual({ turn_id: "t1", stopped: true });
  });

  test("that ended by itself before it could be stopped was not stopped", () => {
    const interrupt = { type: "turnwire/interrupt_sent" };
    const drafts = events(interrupt, result("u1"), settled("u1"), state("idle"));
    expect(ofType(drafts, "done")[0]?.data).toEqual({ turn_id: "t1" });
  });

  test("that ended without a result says so", () => {
    const drafts = events(settled("u1"), state("idle"));
    expect(ofType(drafts, "result")[0]?.data).toMatchObject({
      subtype: "no_result",
      is_error: true,
    });
  });

  test("that failed reports why", () => {
    const failed = {
      ...result("u1"),
      subtype: "error_max_turns",
      is_error: true,
      errors: ["Too many"],
    };
    expect(events(failed)).toMatchObject([
      { type: "error", data: { code: "error_max_turns", message: "Too many", retryable: false } },
    ]);
  });

  test("begins by itself when the agent speaks without having been asked", () => {
    const { drafts, log } = replayOf([
      state("running"),
      stream({ type: "message_start", message: { id: "m1" } }),
      assistant("m1", [text("It woke up.")]),
      result(),
      state("idle"),
    ]);
    expect(typesOf(drafts)).toEqual([
      "turn_started",
      "delta",
      "message_complete",
      "result",
      "usage",
      "done",
    ]);
    expect(checkGrammar(log)).toEqual([]);
  });

  test("without a sender has no result", () => {
    expect(replayOf([result(), state("idle")]).drafts).toEqual([]);
  });
});
