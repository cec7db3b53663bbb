import { describe, expect, test } from "vitest";
import { foldAll, initialState, type EventDraft, type SessionState } from "@turnwire/protocol";
import { ClientError } from "../5-connection/client-error.ts";
import {
  permissionAsked,
  permissionResolved,
  placed,
  ready,
  turnStarted,
} from "../test-support/sample-event.ts";
import { answeringAfter, requestsFrom, type Answering } from "./request-progress.ts";

const error = new ClientError("network", "cut");

function stateAfter(...drafts: EventDraft[]): SessionState {
  return foldAll(initialState(), placed([ready, turnStarted("t1"), ...drafts]));
}

const open = stateAfter(permissionAsked("p1"));

describe("a request", () => {
  test.each<[string, Answering, object]>([
    ["no answer came", {}, { status: "requested" }],
    ["this client answers", { p1: { status: "responding" } }, { status: "responding" }],
    [
      "whose answer did not get through can be answered again",
      { p1: { status: "failed", error } },
      { status: "requested", error },
    ],
    [
      "somebody else has answered, though the log does not show it yet",
      { p1: { status: "conflict", error } },
      { status: "conflict", error },
    ],
  ])("that %s", (_name, answering, expected) => {
    expect(requestsFrom(open, answering, {})).toEqual({ p1: expected });
  });

  test.each([
    ["answered", "resolved"],
    ["cancelled", "resolved"],
    ["orphaned", "resolved"],
    ["expired", "expired"],
  ] as const)("that ended as %s is %s", (outcome, status) => {
    const ended = stateAfter(permissionAsked("p1"), permissionResolved("p1", outcome));
    const answering: Answering = { p1: { status: "responding" } };
    expect(requestsFrom(ended, answering, {})).toEqual({ p1: { status, outcome } });
  });

  test("that somebody else answered first stays a conflict", () => {
    const ended = stateAfter(permissionAsked("p1"), permissionResolved("p1"));
    expect(requestsFrom(ended, { p1: { status: "conflict", error } }, {})).toEqual({
      p1: { status: "conflict", outcome: "answered", error },
    });
  });
});

test("a request that did not change is the same object as before", () => {
  const before = requestsFrom(open, {}, {});
  const both = stateAfter(permissionAsked("p1"), permissionAsked("p2"));
  const after = requestsFrom(both, {}, before);
  expect(Object.keys(after)).toEqual(["p1", "p2"]);
  expect(after["p1"]).toBe(before["p1"]);
});

describe("an answer is forgotten", () => {
  const responding: Answering = { p1: { status: "responding" } };
  const conflict: Answering = { p1: { status: "conflict", error } };
  const ended = stateAfter(permissionAsked("p1"), permissionResolved("p1"));

  test("when its request has ended, unless it came second", () => {
    expect(answeringAfter(responding, open, ended)).toEqual({});
    expect(answeringAfter(conflict, open, ended)).toBe(conflict);
  });

  test("when its request is asked again", () => {
    expect(answeringAfter(conflict, ended, open)).toEqual({});
  });

  test("when its request is forgotten", () => {
    expect(answeringAfter(conflict, ended, initialState())).toEqual({});
  });

  test("but not while its request is open", () => {
    const both = stateAfter(permissionAsked("p1"), permissionAsked("p2"));
    expect(answeringAfter(responding, open, both)).toBe(responding);
    expect(answeringAfter(responding, open, open)).toBe(responding);
  });
});
