import { checkGrammar, draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { type LostCause, settle } from "./settle.ts";
import {
  controlAfter,
  eventsOf,
  everyCapability,
  messageOf,
  openRequestDrafts,
  readyWith,
  runningTurn,
} from "../test-support/control.ts";

const ready = readyWith(everyCapability);
const lost: LostCause = { code: "turn_lost", message: "gone" };
const everyRequest = Object.values(openRequestDrafts);

describe("what an agent that is gone leaves", () => {
  test.each([
    ["an idle session", [ready], []],
    ["a finished turn", [ready, ...runningTurn, draft("done", { turn_id: "t1" })], []],
    ["a waiting message", [ready, messageOf("m2")], []],
    ["a running turn", [ready, ...runningTurn], ["error", "done"]],
    [
      "a running turn with a message behind it",
      [ready, ...runningTurn, messageOf("m2")],
      ["error", "done"],
    ],
    ["an archived session", [ready, draft("session_updated", { status: "archived" })], []],
    ...everyRequest.map(
      (request) =>
        [
          `a turn with an open ${request.type}`,
          [ready, ...runningTurn, request],
          [`${request.type.replace("_request", "")}_resolved`, "error", "done"],
        ] as const,
    ),
    [
      "a request without a turn",
      [ready, draft("hook_request", { correlation_id: "r1", hook_event: "Stop", hook_input: {} })],
      ["hook_resolved"],
    ],
  ] as const)("%s", (_name, before, types) => {
    const settled = settle(controlAfter(...before), lost);
    expect(settled.map(({ type }) => type)).toEqual(types);
    const after = controlAfter(...before, ...settled);
    expect(after).toMatchObject({ turn: null, requests: {} });
    expect(checkGrammar(eventsOf(...before, ...settled))).toEqual([]);
    expect(settle(after, lost)).toEqual([]);
  });
});

describe("the end of a lost turn", () => {
  test.each<[string, LostCause, object, object]>([
    ["names the cause", lost, { code: "turn_lost", message: "gone", retryable: true }, {}],
    ["keeps an exit code, also 0", { ...lost, exitCode: 0 }, {}, { exit_code: 0 }],
    ["is stopped where a person wanted it", { ...lost, isStopped: true }, {}, { stopped: true }],
  ])("%s", (_name, cause, error, done) => {
    expect(settle(controlAfter(ready, ...runningTurn), cause)).toMatchObject([
      { type: "error", turn_id: "t1", data: error },
      { type: "done", turn_id: "t1", data: { turn_id: "t1", ...done } },
    ]);
  });

  test("has no error where the session is deleted", () => {
    const deletion = { ...lost, isStopped: true, isDeletion: true };
    expect(settle(controlAfter(ready, ...runningTurn), deletion)).toMatchObject([
      { type: "done", turn_id: "t1", data: { turn_id: "t1", stopped: true } },
    ]);
  });

  test("every open request is orphaned before it, in its own turn and sub-agent", () => {
    const request = { ...openRequestDrafts.permission, subagent_id: "helper" };
    const [resolved] = settle(controlAfter(ready, ...runningTurn, request), lost);
    expect(resolved).toMatchObject({
      turn_id: "t1",
      subagent_id: "helper",
      data: { outcome: "orphaned", allowed: false },
    });
  });
});
