import { dialectContract } from "@turnwire/conformance";
import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import {
  type EventData,
  type EventType,
  fold,
  initialState,
  noCapabilities,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import type { StatefulDialect } from "../../../wire/src/dialect.ts";
import { relay } from "./relay.ts";
import { streamJson } from "../../../wire/src/stream-json/stream-json.ts";
import { streamJsonView } from "../../../wire/src/stream-json/test-support/stream-json-view.ts";

function isFine({ type, data }: SessionEvent): boolean {
  const isTakenBack =
    type === "rolled_back" ||
    type === "message_deferred" ||
    (type === "message_complete" && data.retracted === true);
  return !isTakenBack;
}

/** Lines of an agent are what they are, JSON or not. */
const withoutLines: StatefulDialect = {
  ...relay,
  frames: (before, event) => (event.type === "native_line" ? [] : relay.frames(before, event)),
};

dialectContract("relay", {
  createDialect: () => withoutLines,
  view: streamJsonView,
  log: eventLogArbitrary({ maxSteps: 25 }).map((events) => {
    const end = events.findIndex((event) => !isFine(event));
    return end < 0 ? events : events.slice(0, end);
  }),
  inputs: [
    {
      input: { type: "control_request", request_id: "1", request: { subtype: "interrupt" } },
      command: { type: "interrupt" },
    },
  ],
});

/** Plays events on a session, whose frames it returns as they were sent. */
function linesOf(hasNativeLines: boolean, played: readonly (readonly [EventType, unknown])[]) {
  const ready: EventData<"session_ready"> = {
    session_id: "s1",
    protocol_version: "1.0",
    runtime: "test",
    capabilities: { ...noCapabilities, native_lines: hasNativeLines },
  };
  let state: SessionState = initialState();
  const all = [["session_ready", ready], ...played] as const;
  return all.flatMap(([type, data], index) => {
    // The compiler cannot see that each type comes with its own data.
    const event = { seq: index + 1, ts: "2026-11-16T09:00:00.000Z", type, data } as SessionEvent;
    const frames = relay.frames(state, event);
    state = fold(state, event);
    return frames.map((frame) => frame.data);
  });
}

const from = (line: string) =>
  ["native_line", { line, direction: "from_agent" }] as const satisfies [EventType, unknown];
const to = (line: string) =>
  ["native_line", { line, direction: "to_agent" }] as const satisfies [EventType, unknown];

const asked = [
  "permission_request",
  { correlation_id: "p", tool_name: "Bash", tool_input: { command: "ls" } },
] as const satisfies [EventType, unknown];

function resolved(outcome: string, allowed: boolean) {
  return [
    "permission_resolved",
    { correlation_id: "p", tool_name: "Bash", outcome, allowed },
  ] as const satisfies [EventType, unknown];
}

describe("the lines of an agent that dialled in", () => {
  test("go out as they were, but for the session that a request and a prompt lack, and nothing made of them", () => {
    const odd = '{ "type" : "assistant","x":"ü\\u0041" ,"n":1.0}';
    const lines = linesOf(true, [
      to('{"type":"control_request","request_id":"i","request":{"subtype":"initialize"}}'),
      from('{"type":"control_response","response":{"request_id":"i"}}'),
      ["user_message", { message_id: "m", content: [], delivery: "queue" }],
      ["turn_started", { turn_id: "t", message_id: "m" }],
      to('{"type":"user","message":{"role":"user","content":"hello"}}'),
      from(odd),
      ["delta", { message_id: "a", text: "hello" }],
      from("no JSON at all"),
    ]);
    expect(lines).toEqual([
      '{"type":"control_response","response":{"request_id":"i"},"session_id":"s1"}',
      '{"type":"user","message":{"role":"user","content":"hello"},"session_id":"s1"}',
      odd,
      "no JSON at all",
    ]);
  });

  test("are left out where they are about the relay's own arrangements", () => {
    const request = (subtype: string) =>
      `{"type":"control_request","request_id":"1","request":{"subtype":"${subtype}"}}`;
    const lines = linesOf(true, [
      from(request("hook_callback")),
      from(request("mcp_message")),
      from(request("can_use_tool")),
      to('{"type":"control_response","response":{"request_id":"1","response":{}}}'),
    ]);
    const named = request("can_use_tool").replace(/}$/, ',"session_id":"s1"}');
    expect(lines).toEqual([named]);
  });

  test("come with what it was answered, in the form in which it got that", () => {
    const answer =
      '{"type":"control_response","response":{"request_id":"1","response":{"behavior":"deny"}}}';
    const named = answer.replace(/}$/, ',"session_id":"s1"}');
    expect(linesOf(true, [asked, to(answer), resolved("answered", false)])).toEqual([named]);
  });

  test("are followed by what ended because the agent was lost, which no line says", () => {
    const lost = linesOf(true, [
      ["user_message", { message_id: "m", content: [], delivery: "queue" }],
      ["turn_started", { turn_id: "t", message_id: "m" }],
      asked,
      resolved("orphaned", false),
      ["done", { turn_id: "t" }],
    ]);
    expect(lost.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: "control_cancel_request", request_id: "p", session_id: "s1" },
      { type: "result", subtype: "error_during_execution", is_error: true },
    ]);
  });
});

describe("a request that is over", () => {
  test("comes with its answer", () => {
    const lines = linesOf(false, [asked, resolved("answered", true)]).slice(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        type: "control_response",
        response: {
          subtype: "success",
          request_id: "p",
          response: { behavior: "allow", updatedInput: { command: "ls" } },
        },
        session_id: "s1",
      },
      { type: "control_cancel_request", request_id: "p", session_id: "s1" },
    ]);
  });

  test("is only cancelled where no one answered", () => {
    const lines = linesOf(false, [asked, resolved("cancelled", false)]);
    expect(lines.slice(1)).toEqual([
      '{"type":"control_cancel_request","request_id":"p","session_id":"s1"}',
    ]);
  });
});

test("an opening is that of stream-json, and its requests name their session", () => {
  const state: SessionState = fold(initialState(), {
    seq: 1,
    ts: "2026-11-16T09:00:00.000Z",
    type: asked[0],
    data: asked[1],
  });
  const [frame] = relay.opening(state);
  expect(JSON.parse(frame?.data ?? "")).toEqual({
    ...JSON.parse(streamJson.opening(state)[0]?.data ?? ""),
    session_id: "",
  });
});
