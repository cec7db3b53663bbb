import { describe, expect, test } from "vitest";
import { dataOf, play, said, start, yesTo } from "./test-support/player.ts";
import { wordGate } from "./test-support/gate.ts";

describe("the demo agent under a policy", () => {
  test("runs what is allowed, asks about what is asked, and says why it refused the rest", async () => {
    const events = await play(await start({ gate: wordGate() }), "/policy");
    const decisions = dataOf(events, "policy_decision");
    expect(decisions.map(({ verdict }) => verdict)).toEqual(["allow", "ask", "allow", "deny"]);
    const tools = dataOf(events, "tool_start").map(({ tool_use_id }) => tool_use_id);
    expect(decisions.map(({ tool_use_id }) => tool_use_id)).toEqual(tools);
    expect(dataOf(events, "permission_request")).toMatchObject([
      { policy: { rule: "rule-ask", mode: "words", policy_version: "1" } },
    ]);
    const results = dataOf(events, "tool_result");
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false, false, true]);
    expect(results.at(-1)?.output).toContain("rule-deny");
    expect(said(events)).toContain("refused by the policy (rule `rule-deny`)");
  });

  test("does not run what a person refuses", async () => {
    const events = await play(await start({ gate: wordGate() }), "/policy", (event) => {
      const answer = yesTo(event);
      return answer?.type === "permission_response" ? { ...answer, behavior: "deny" } : answer;
    });
    const results = dataOf(events, "tool_result");
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true, false, true]);
  });

  test("asks also in bypassPermissions, and only where the policy does", async () => {
    const options = { gate: wordGate(), permissionMode: "bypassPermissions" };
    const events = await play(await start(options), "/policy");
    expect(dataOf(events, "permission_request")).toHaveLength(1);
    const allowed = await play(await start({ gate: wordGate() }), "/permission");
    expect(dataOf(allowed, "permission_request")).toEqual([]);
    expect(dataOf(allowed, "tool_result")).toMatchObject([{ is_error: false }]);
  });

  test("changes nothing in plan mode, whatever the policy allows", async () => {
    const options = { gate: wordGate(), permissionMode: "plan" };
    const events = await play(await start(options), "/permission");
    expect(dataOf(events, "tool_result")).toMatchObject([{ is_error: true }]);
  });

  test.each(["/tools", "/permission", "/hook", "/diff", "/subagents", "/tasks", "/policy"])(
    "%s runs no tool where the policy fails",
    async (text) => {
      const fails = async () => {
        throw new Error("no policy today");
      };
      const gate = { sandbox: "read_only", judge: fails } as const;
      const events = await play(await start({ gate }), text);
      const results = dataOf(events, "tool_result");
      expect(results.length).toBeGreaterThan(0);
      expect(results.every(({ is_error }) => is_error)).toBe(true);
      expect(JSON.stringify(results)).toContain("no policy today");
    },
  );

  test("says so where the session has no policy mode", async () => {
    const events = await play(await start(), "/policy");
    expect(dataOf(events, "tool_start")).toEqual([]);
    expect(said(events)).toContain("no policy mode");
  });
});
