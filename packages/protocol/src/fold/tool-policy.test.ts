import { describe, expect, test } from "vitest";
import { draft, type EventDraft, type ToolPolicy } from "../index.ts";
import { blocksOf, inTurn, stateAfter, toolEnded, toolStarted, done } from "../test-support/log.ts";

const denied: ToolPolicy = {
  verdict: "deny",
  rule: "discard",
  reason: "git reset --hard: destroys work",
  subject: "git reset --hard",
  mode: "implementation",
  policy_version: "v1",
};

function decided(policy: ToolPolicy = denied, more: object = {}, place: object = inTurn) {
  return draft("policy_decision", { tool_use_id: "x", tool: "Bash", ...policy, ...more }, place);
}

function blocksAfter(...drafts: EventDraft[]) {
  return blocksOf(stateAfter(...drafts));
}

describe("a decision of the policy", () => {
  test("is on the tool it is about, whether it comes before, during or after it", () => {
    const start = toolStarted("x", { command: "git reset --hard" });
    for (const drafts of [
      [decided(), start, toolEnded("x")],
      [start, decided(), toolEnded("x")],
      [start, toolEnded("x"), decided()],
    ]) {
      expect(blocksAfter(...drafts)).toMatchObject([
        { type: "tool", command: "git reset --hard", status: "done", policy: denied },
      ]);
    }
  });

  test("on a tool whose input still streams in keeps both", () => {
    const piece = (partial_json: string) =>
      draft("tool_input_delta", { tool_use_id: "x", tool: "Bash", partial_json }, inTurn);
    const [block] = blocksAfter(piece("{"), decided(), piece("}"));
    expect(block).toMatchObject({ partial_input: "{}", policy: denied });
    expect(blocksAfter(decided(), piece("{"), piece("}"))).toMatchObject([
      { partial_input: "{}", policy: denied },
    ]);
  });

  test("about a tool that is never announced is shown, and ends with its turn", () => {
    expect(blocksAfter(decided(), done("t1"))).toMatchObject([
      { type: "tool", tool: "Bash", status: "abandoned", policy: denied },
    ]);
  });

  test("is replaced by a later one about the same tool", () => {
    const asked: ToolPolicy = { ...denied, verdict: "ask" };
    const [block] = blocksAfter(decided(asked), decided());
    expect(block).toMatchObject({ policy: { verdict: "deny" } });
  });

  test("about a sub-agent's start is on the sub-agent", () => {
    const spawn = toolStarted("x", { subagent_spawn: true, subagent_name: "scout" });
    for (const drafts of [
      [decided(), spawn],
      [spawn, decided()],
    ]) {
      expect(blocksAfter(...drafts)).toMatchObject([
        { type: "subagent", name: "scout", policy: denied },
      ]);
    }
  });

  test("about a sub-agent's tool is among the sub-agent's blocks", () => {
    const inside = { ...inTurn, subagent_id: "s" };
    const spawn = toolStarted("s", { subagent_spawn: true });
    expect(blocksAfter(spawn, decided(denied, {}, inside))).toMatchObject([
      { type: "subagent", blocks: [{ type: "tool", tool_use_id: "x", policy: denied }] },
    ]);
  });

  test("about no tool use in particular is in the log only", () => {
    expect(blocksAfter(decided(denied, { tool_use_id: undefined }))).toEqual([]);
  });
});
