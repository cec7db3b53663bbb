import type { SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { dataOf, idOf, play, start, yesTo } from "../test-support/player.ts";

function asks(events: readonly SessionEvent[]): number {
  return dataOf(events, "permission_request").length;
}

function failures(events: readonly SessionEvent[]): boolean[] {
  return dataOf(events, "tool_result").map(({ is_error }) => is_error);
}

describe("the demo agent's permissions", () => {
  test.each([
    { mode: "default", text: "/permission", asked: 1 },
    { mode: "default", text: "/permission edit", asked: 1 },
    { mode: "acceptEdits", text: "/permission", asked: 1 },
    { mode: "acceptEdits", text: "/permission edit", asked: 0 },
    { mode: "bypassPermissions", text: "/permission", asked: 0 },
  ])("in mode $mode “$text” asks $asked times and runs", async ({ mode, text, asked }) => {
    const events = await play(await start({ permissionMode: mode }), text);
    expect(asks(events)).toBe(asked);
    expect(failures(events)).toEqual([false]);
  });

  test("while planning nothing runs and no one is asked", async () => {
    const recorder = await start();
    await recorder.run.setPermissionMode?.("plan");
    const events = await play(recorder, "/permission");
    expect(asks(events)).toBe(0);
    expect(failures(events)).toEqual([true]);
  });

  test("a tool that is granted is not asked for until the grant is taken back", async () => {
    const grants = [{ type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow" }];
    const recorder = await start({ grants });
    expect(asks(await play(recorder, "/permission"))).toBe(0);
    expect(asks(await play(recorder, "/permission edit"))).toBe(1);
    await recorder.run.setGrants?.([]);
    expect(asks(await play(recorder, "/permission"))).toBe(1);
    await recorder.run.setGrants?.(grants);
    expect(asks(await play(recorder, "/permission"))).toBe(0);
  });

  test("the reason of a denial reaches the tool's result", async () => {
    const events = await play(await start(), "/permission", (event) => {
      const answer = yesTo(event);
      return answer?.type === "permission_response"
        ? { ...answer, behavior: "deny", message: "not on a Sunday" }
        : answer;
    });
    expect(dataOf(events, "tool_result")[0]?.output).toBe("not on a Sunday");
  });

  test.each([{ decision: "block", reason: "no rm here" }, { continue: false }])(
    "a hook that decides %j keeps the tool from running",
    async (decision) => {
      const events = await play(await start(), "/hook", (event) =>
        event.type === "hook_request"
          ? { type: "hook_response", decision, ...idOf(event.data) }
          : undefined,
      );
      expect(failures(events)).toEqual([true]);
    },
  );
});
