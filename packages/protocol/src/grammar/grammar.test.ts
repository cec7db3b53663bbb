import { describe, expect, test } from "vitest";
import { checkGrammar, draft, type EventDraft, Grammar, type GrammarRule } from "../index.ts";
import {
  begun,
  completed,
  delta,
  done,
  inTurn,
  logOf,
  ready,
  userMessage,
  started,
  toolEnded,
  toolStarted,
} from "../test-support/log.ts";

const closed = draft("session_closed", { reason: "deleted" });
const spawned = toolStarted("sub", { subagent_spawn: true });
const inSubagent = { turn_id: "t1", subagent_id: "sub" };

function asked(correlation_id: string, place: object = inTurn) {
  return draft("hook_request", { correlation_id, hook_event: "Stop", hook_input: {} }, place);
}

function answered(correlation_id: string) {
  return draft("hook_resolved", { correlation_id, outcome: "answered" }, inTurn);
}

function rulesOf(drafts: readonly EventDraft[]): GrammarRule[] {
  return checkGrammar(logOf(drafts)).map(({ rule }) => rule);
}

function called(correlation_id: string) {
  return draft("tool_call_request", { correlation_id, tool_name: "map", input: {} }, inTurn);
}

/** In these tests an event has its seq as the millisecond it happened. */
function claimed(claim_id: string, untilSeq: number) {
  const expires_at = new Date(Date.UTC(2026, 10, 15) + untilSeq).toISOString();
  return draft("tool_call_claimed", { correlation_id: "r", claim_id, expires_at }, inTurn);
}

const good: { what: string; events: EventDraft[] }[] = [
  { what: "an empty log", events: [] },
  {
    what: "a whole session",
    events: [
      ...begun,
      delta("Hi"),
      completed("m1", [{ type: "text", text: "Hi!" }]),
      toolStarted("x"),
      draft("tool_output", { tool_use_id: "x", text: "." }, inTurn),
      asked("r1"),
      answered("r1"),
      toolEnded("x"),
      userMessage("u2", "steer"),
      userMessage("u3", "queue"),
      draft("result", { turn_id: "t1", subtype: "success", is_error: false }, inTurn),
      done("t1"),
      started("t2", "u3"),
      done("t2"),
      draft("rolled_back", { turn_id: "t2" }),
      started("t3"),
      done("t3"),
      closed,
    ],
  },
  {
    what: "what an agent sends after done",
    events: [...begun, toolStarted("x"), done("t1"), delta("late"), toolEnded("x")],
  },
  {
    what: "a message that is cancelled before its turn",
    events: [...begun, userMessage("u2", "queue"), cancelled("u2"), done("t1")],
  },
  {
    what: "a steering message that came too late and gets a turn of its own",
    events: [...begun, userMessage("u2", "steer"), done("t1"), deferred("u2"), started("t2", "u2")],
  },
  {
    what: "sub-agents",
    events: [...begun, spawned, delta("x", "m2", inSubagent), toolEnded("sub")],
  },
  { what: "a request that belongs to no turn", events: [...begun, asked("r", {}), done("t1")] },
  {
    what: "a tool call that is claimed, again by the same page, and by another when that runs out",
    events: [...begun, called("r"), claimed("a", 9), claimed("a", 7), claimed("b", 9)],
  },
  {
    what: "white space that the whole message lacks",
    events: [...begun, delta("Hi \n"), completed("m1", [{ type: "text", text: "Hi" }])],
  },
];

function deferred(message_id: string) {
  return draft("message_deferred", { message_id, content: [{ type: "text", text: "later" }] });
}

function cancelled(message_id: string) {
  return draft("message_cancelled", { message_id });
}

const bad: { rule: GrammarRule; what: string; events: EventDraft[] }[] = [
  { rule: "not_ready_first", what: "another first event", events: [userMessage("u1", "turn")] },
  { rule: "event_after_close", what: "life after the end", events: [ready, closed, ready] },
  { rule: "turn_open_at_close", what: "an end within a turn", events: [...begun, closed] },
  {
    rule: "request_open_at_close",
    what: "an open question",
    events: [ready, asked("r", {}), closed],
  },
  {
    rule: "message_repeated",
    what: "one id twice",
    events: [...begun, userMessage("u1", "queue")],
  },
  {
    rule: "message_not_waiting",
    what: "a turn for an unknown message",
    events: [ready, started("t1", "u1")],
  },
  {
    rule: "message_not_waiting",
    what: "a second turn for one message",
    events: [...begun, done("t1"), started("t2", "u1")],
  },
  {
    rule: "message_not_waiting",
    what: "a turn for a cancelled message",
    events: [
      ...begun,
      userMessage("u2", "queue"),
      cancelled("u2"),
      done("t1"),
      started("t2", "u2"),
    ],
  },
  {
    rule: "message_not_waiting",
    what: "a message cancelled after its turn began",
    events: [...begun, cancelled("u1")],
  },
  {
    rule: "steer_without_turn",
    what: "no turn to steer",
    events: [ready, userMessage("u1", "steer")],
  },
  {
    rule: "message_not_steering",
    what: "a deferral of a message that waits already",
    events: [...begun, userMessage("u2", "queue"), deferred("u2")],
  },
  {
    rule: "rollback_in_turn",
    what: "a rollback while a turn runs",
    events: [...begun, done("t1"), started("t2"), draft("rolled_back", { turn_id: "t1" })],
  },
  { rule: "turn_overlaps", what: "two turns at once", events: [...begun, started("t2")] },
  { rule: "turn_repeated", what: "a turn again", events: [...begun, done("t1"), started("t1")] },
  { rule: "turn_unknown", what: "a foreign turn", events: [ready, delta("x")] },
  {
    rule: "turn_unknown",
    what: "a rollback of no turn",
    events: [ready, draft("rolled_back", { turn_id: "t9" })],
  },
  { rule: "turn_not_running", what: "a second done", events: [...begun, done("t1"), done("t1")] },
  {
    rule: "request_repeated",
    what: "one id asked twice",
    events: [...begun, asked("r"), asked("r")],
  },
  { rule: "request_not_open", what: "an answer to nothing", events: [...begun, answered("r")] },
  {
    rule: "request_not_open",
    what: "a second answer",
    events: [...begun, asked("r"), answered("r"), answered("r")],
  },
  {
    rule: "request_not_open",
    what: "an answer of another kind",
    events: [
      ...begun,
      asked("r"),
      draft("question_resolved", { correlation_id: "r", outcome: "answered" }, inTurn),
    ],
  },
  {
    rule: "request_not_open",
    what: "a claim of something that is not a tool call",
    events: [...begun, asked("r"), claimed("a", 9)],
  },
  {
    rule: "claim_overlaps",
    what: "a claim while another page has the call",
    events: [...begun, called("r"), claimed("a", 9), claimed("b", 9)],
  },
  {
    rule: "request_open_at_done",
    what: "a forgotten request",
    events: [...begun, asked("r"), done("t1")],
  },
  {
    rule: "message_completed_before",
    what: "a delta after the whole message",
    events: [...begun, completed("m1", [{ type: "text", text: "Hi" }]), delta("more")],
  },
  {
    rule: "message_text_missing",
    what: "a whole message without what deltas said",
    events: [...begun, delta("Hi"), completed("m1", [])],
  },
  {
    rule: "tool_repeated",
    what: "a tool again",
    events: [...begun, toolStarted("x"), toolStarted("x")],
  },
  { rule: "tool_unknown", what: "a result of nothing", events: [...begun, toolEnded("x")] },
  {
    rule: "tool_unknown",
    what: "a second result",
    events: [...begun, toolStarted("x"), toolEnded("x"), toolEnded("x")],
  },
  {
    rule: "subagent_unknown",
    what: "a sub-agent from nowhere",
    events: [...begun, delta("x", "m1", inSubagent)],
  },
];

describe("the grammar", () => {
  test.each(good)("has nothing against $what", ({ events }) => {
    expect(checkGrammar(logOf(events))).toEqual([]);
  });

  test.each(bad)("finds $what ($rule)", ({ rule, events }) => {
    expect(rulesOf(events)).toContain(rule);
    expect(new Set(rulesOf(events))).toEqual(new Set([rule]));
  });

  test("finds a gap, a repetition and a wrong start in the count", () => {
    const [first, second, third] = logOf(begun);
    const events = [first, third, third, second].filter((event) => event !== undefined);
    const counted = checkGrammar(events).filter(({ rule }) => rule === "seq_not_contiguous");
    expect(counted.map(({ seq }) => seq)).toEqual([3, 3, 2]);
    expect(checkGrammar(logOf(begun).slice(1))).toMatchObject([
      { rule: "seq_not_contiguous" },
      { rule: "not_ready_first" },
    ]);
  });

  test("says where and what, one event at a time", () => {
    const grammar = new Grammar();
    const found = logOf([...begun, done("t9")]).map((event) => grammar.check(event));
    expect(found).toEqual([
      [],
      [],
      [],
      [
        { seq: 4, rule: "turn_unknown", message: "turn t9 never started" },
        { seq: 4, rule: "turn_not_running", message: "turn t9 is done but does not run" },
      ],
    ]);
  });
});
