import { draft, foldAll, initialState } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { logOf } from "../test-support/demo-events.ts";
import { RequestDesk } from "./request-desk.ts";

const ask = (id: string) =>
  draft("permission_request", { correlation_id: id, tool_name: "Bash", tool_input: {} });
const settle = (id: string) =>
  draft("permission_resolved", {
    correlation_id: id,
    tool_name: "Bash",
    allowed: true,
    outcome: "answered",
  });

const stateAfter = (...drafts: ReturnType<typeof ask | typeof settle>[]) =>
  foldAll(initialState(), logOf([draft("turn_started", { turn_id: "t" }), ...drafts], "t"));

function askedId(desk: RequestDesk, ...drafts: Parameters<typeof stateAfter>): string | undefined {
  const asked = desk.update(stateAfter(...drafts));
  return asked?.request.type === "permission_request"
    ? asked.request.data.correlation_id
    : undefined;
}

describe("the request that a person is asked", () => {
  test("is the oldest open one, and the next when that has ended", () => {
    const desk = new RequestDesk();
    expect(askedId(desk)).toBeUndefined();
    expect(askedId(desk, ask("a"), ask("b"))).toBe("a");
    expect(askedId(desk, ask("a"), ask("b"), settle("a"))).toBe("b");
    expect(askedId(desk, ask("a"), ask("b"), settle("a"), settle("b"))).toBeUndefined();
  });

  test("is not asked again while its answer is on the way, but when that fails", () => {
    const desk = new RequestDesk();
    const asked = desk.update(stateAfter(ask("a"), ask("b")));
    if (!asked) throw new Error("nothing is asked");
    desk.markSent(asked);
    expect(askedId(desk, ask("a"), ask("b"))).toBe("b");
    desk.unmark(asked);
    expect(askedId(desk, ask("a"), ask("b"))).toBe("a");
  });

  test("keeps the part of an answer that was given, as long as it stays open", () => {
    const desk = new RequestDesk();
    const asked = desk.update(stateAfter(ask("a")));
    if (!asked) throw new Error("nothing is asked");
    desk.continueWith({ ...asked, isEditing: true });
    expect(desk.update(stateAfter(ask("a"), ask("b")))?.isEditing).toBe(true);
    expect(desk.update(stateAfter(ask("a"), settle("a"), ask("b")))?.isEditing).toBe(false);
  });
});
