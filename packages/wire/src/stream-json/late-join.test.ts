import {
  draft,
  type EventDraft,
  fold,
  foldAll,
  initialState,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { streamJson } from "./stream-json.ts";
import { streamJsonView } from "./test-support/stream-json-view.ts";

const inTurn = { turn_id: "t" };
const content = [{ type: "text" as const, text: "hello" }];
const ready = draft("session_ready", {
  session_id: "s",
  protocol_version: "1.0",
  runtime: "demo",
  capabilities: noCapabilities,
});
const asked = draft("user_message", { message_id: "u", content, delivery: "turn" });
const started = draft("turn_started", { turn_id: "t", message_id: "u" }, inTurn);
const steered = draft("user_message", { message_id: "u2", content, delivery: "steer" }, inTurn);
const done = draft("done", { turn_id: "t" }, inTurn);
const said = (text: string) => draft("delta", { message_id: "m", text }, inTurn);
const result = (subtype: string) =>
  draft("result", { turn_id: "t", subtype, is_error: subtype !== "success", text: "" }, inTurn);
const spawned = draft("tool_start", {
  message_id: "m",
  tool_use_id: "a",
  tool: "Task",
  subagent_spawn: true,
});
const inSubagent = { turn_id: "t", subagent_id: "a" };
const saidInside = draft("delta", { message_id: "n", text: "x" }, inSubagent);

/** Found by the dialect's contract, shortened. */
const logs: { what: string; drafts: EventDraft[] }[] = [
  {
    what: "text that comes after the end of a turn that was steered",
    drafts: [asked, started, said("a"), steered, done, said("b")],
  },
  {
    what: "text that comes after the end of a turn in which nothing was said",
    drafts: [draft("turn_started", { turn_id: "t" }), done, said("late")],
  },
  {
    what: "a sub-agent outside of turns that continues after one",
    drafts: [spawned, asked, started, saidInside, done, saidInside],
  },
  {
    what: "a turn with two results",
    drafts: [asked, started, result("error_during_execution"), steered, result("success"), done],
  },
  {
    what: "text after a result that follows a steering message",
    drafts: [asked, started, said("a"), steered, result("error_during_execution"), said("b")],
  },
];

describe("a reader that joins late", () => {
  test.each(logs)("knows what one knows who has read all: $what", ({ drafts }) => {
    const events = [ready, ...drafts].map((event, index): SessionEvent => ({
      seq: index + 1,
      ts: "2026-11-16T03:00:00.000Z",
      ...event,
    }));
    let state = initialState();
    const frames = events.map((event) => {
      const made = streamJson.frames(state, event);
      state = fold(state, event);
      return made;
    });
    const early = streamJsonView(frames.flat());
    for (let cut = 1; cut <= events.length; cut += 1) {
      const opening = streamJson.opening(foldAll(initialState(), events.slice(0, cut)));
      expect(streamJsonView([...opening, ...frames.slice(cut).flat()])).toEqual(early);
    }
  });
});
