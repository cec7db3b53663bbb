import { describe, expect, test } from "vitest";
import { draft, type EventDraft } from "../index.ts";
import { blocksOf, delta, inTurn, stateAfter, toolStarted } from "../test-support/log.ts";

const id = { correlation_id: "r1" };
const answered = { outcome: "answered" as const, by: "someone" };
const confirm = { interrupt_id: "r1", component_name: "confirm", props: { risk: 1 } };

const kinds: { kind: string; request: EventDraft; resolution: EventDraft }[] = [
  {
    kind: "permission",
    request: draft("permission_request", { ...id, tool_name: "Bash", tool_input: { a: 1 } }),
    resolution: draft("permission_resolved", {
      ...id,
      ...answered,
      tool_name: "Bash",
      allowed: true,
    }),
  },
  {
    kind: "question",
    request: draft("question_request", { ...id, questions: [{ question: "?", options: [] }] }),
    resolution: draft("question_resolved", { ...id, ...answered, answers: { "?": "yes" } }),
  },
  {
    kind: "hook",
    request: draft("hook_request", { ...id, hook_event: "Stop", hook_input: null }),
    resolution: draft("hook_resolved", { ...id, ...answered, decision: {} }),
  },
  {
    kind: "tool_call",
    request: draft("tool_call_request", { ...id, tool_name: "map", input: {} }),
    resolution: draft("tool_call_resolved", { ...id, ...answered, output: 1 }),
  },
  {
    kind: "interrupt",
    request: draft("interrupt", { ...confirm, surface: "chat" }),
    resolution: draft("interrupt_resolved", { interrupt_id: "r1", ...answered, value: true }),
  },
];

describe.each(kinds)("a request of kind $kind", ({ kind, request, resolution }) => {
  test("is a block where it was asked", () => {
    const state = stateAfter(delta("May I?"), request, delta("Waiting."));
    expect(blocksOf(state)).toMatchObject([
      { type: "text" },
      { type: kind, status: "open", request: request.data },
      { type: "text" },
    ]);
    expect(Object.keys(state.requests)).toEqual(["r1"]);
  });

  test("is resolved in place, by its first outcome", () => {
    const late = { ...resolution, data: { ...resolution.data, outcome: "expired" } } as EventDraft;
    const state = stateAfter(request, delta("on"), resolution, late);
    expect(blocksOf(state)).toMatchObject([
      { type: kind, key: "b4", status: "answered", resolution: resolution.data },
      { type: "text" },
    ]);
    expect(state).toMatchObject({ requests: {}, outcomes: { r1: "answered" } });
  });

  test("asked again under its id takes its old place", () => {
    const state = stateAfter(request, delta("on"), request);
    expect(blocksOf(state)).toMatchObject([{ type: kind, key: "b4" }, { type: "text" }]);
  });

  test("of a sub-agent is asked and resolved in its block", () => {
    const spawned = toolStarted("sub", { subagent_spawn: true });
    const place = { turn_id: "t1", subagent_id: "sub" };
    const state = stateAfter(spawned, { ...request, ...place }, { ...resolution, ...place });
    expect(blocksOf(state)).toMatchObject([{ blocks: [{ type: kind, status: "answered" }] }]);
  });
});

describe("an interrupt outside the chat", () => {
  const asked = draft("interrupt", { ...confirm, surface: "panel" }, inTurn);

  test("is also a component on its surface until it is resolved", () => {
    const open = stateAfter(asked);
    expect(blocksOf(open)).toMatchObject([{ type: "interrupt", status: "open" }]);
    expect(open.surfaces.panel).toEqual([
      { component_id: "interrupt-r1", name: "confirm", surface: "panel", props: { risk: 1 } },
    ]);
    const resolved = draft("interrupt_resolved", { interrupt_id: "r1", ...answered });
    expect(stateAfter(asked, resolved).surfaces.panel).toEqual([]);
  });
});

describe("a tool call that is claimed", () => {
  const called = draft("tool_call_request", { ...id, tool_name: "map", input: {} }, inTurn);
  const claimed = (claim_id: string) =>
    draft("tool_call_claimed", { ...id, claim_id, expires_at: "2026-11-15T10:00:00.000Z" }, inTurn);

  test("shows its newest claim until it ends", () => {
    const open = stateAfter(called, claimed("a"), claimed("b"));
    expect(open.requests).toMatchObject({
      r1: { data: called.data, claim: { claim_id: "b", expires_at: "2026-11-15T10:00:00.000Z" } },
    });
    const ended = draft("tool_call_resolved", { ...id, ...answered, output: 1 }, inTurn);
    expect(stateAfter(called, claimed("a"), ended).requests).toEqual({});
  });

  test("is the only thing that can be: a claim of anything else changes nothing but the seq", () => {
    const asked = draft("hook_request", { ...id, hook_event: "Stop", hook_input: null }, inTurn);
    const before = stateAfter(asked);
    expect(stateAfter(asked, claimed("a"))).toEqual({ ...before, seq: before.seq + 1 });
  });
});

test("a resolution of a request that was never asked changes nothing but the seq", () => {
  const before = stateAfter(delta("x"));
  const after = stateAfter(delta("x"), kinds[0]?.resolution ?? delta("y"));
  expect(after).toEqual({ ...before, seq: before.seq + 1 });
});
