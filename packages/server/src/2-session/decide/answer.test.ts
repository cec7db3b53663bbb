import { draft, type Outcome } from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import { describe, expect, test } from "vitest";
import type { RequestAnswer } from "@turnwire/runtime";
import { decide } from "./decide.ts";
import {
  controlAfter,
  everyCapability,
  openRequestDrafts,
  readyWith,
  runningTurn,
} from "../test-support/control.ts";
import { expiredAnswer, resolve } from "./resolve.ts";

const policy = defaultPolicy();

type RequestName = keyof typeof openRequestDrafts;

const context = {
  by: "ann",
  isAdmin: false,
  messageId: "new",
  maxQueue: 2,
  requestTimeoutMs: 60_000,
  now: 0,
  policy,
};
const requestNames = Object.keys(openRequestDrafts) as RequestName[];
const begun = [readyWith(everyCapability), ...runningTurn];

function askedFor(name: RequestName) {
  return controlAfter(...begun, openRequestDrafts[name]);
}

/** The only open request of a control. */
function openRequest(name: RequestName) {
  const [request] = Object.values(askedFor(name).requests);
  if (!request) throw new Error(`no ${name} is open`);
  return request;
}

const fitting: Record<RequestName, RequestAnswer> = {
  permission: {
    type: "permission_response",
    correlation_id: "r1",
    behavior: "deny",
    message: "no",
  },
  question: { type: "question_response", correlation_id: "r1", answers: { "Which?": "A" } },
  hook: { type: "hook_response", correlation_id: "r1", decision: { go: true } },
  interrupt: { type: "interrupt_response", interrupt_id: "r1", value: 1 },
  tool_call: { type: "tool_call_response", correlation_id: "r1", output: "x", is_error: true },
};

const answered: Record<RequestName, object> = {
  permission: { correlation_id: "r1", tool_name: "Bash", allowed: false, message: "no" },
  question: { correlation_id: "r1", answers: { "Which?": "A" } },
  hook: { correlation_id: "r1", decision: { go: true } },
  interrupt: { interrupt_id: "r1", value: 1 },
  tool_call: { correlation_id: "r1", output: "x", is_error: true },
};

describe.each(requestNames)("an open %s request", (name) => {
  const control = askedFor(name);

  test("is answered once, in its turn, and the agent gets the answer", () => {
    expect(decide(control, fitting[name], context)).toEqual({
      ok: true,
      events: [
        {
          type: `${name}_resolved`,
          turn_id: "t1",
          data: { ...answered[name], outcome: "answered", by: "ann" },
        },
      ],
      effects: [{ type: "answer", answer: fitting[name] }],
    });
  });

  test.each(requestNames.filter((other) => other !== name))(
    "is not answered by an answer to a %s request",
    (other) => {
      expect(decide(control, fitting[other], context)).toMatchObject({
        error: { code: "invalid_request" },
      });
    },
  );

  test.each<Outcome>(["answered", "cancelled", "expired", "orphaned"])(
    "that was %s is not answered again, and the outcome is named",
    (outcome) => {
      const decision = decide(control, fitting[name], context);
      const ended =
        outcome === "answered"
          ? decision.ok && decision.events
          : [resolve(openRequest(name), outcome)];
      const after = controlAfter(...begun, openRequestDrafts[name], ...(ended || []));
      expect(decide(after, fitting[name], context)).toMatchObject({
        error: { code: "already_resolved", details: { id: "r1", outcome } },
      });
    },
  );

  test("keeps its place when it ends unanswered", () => {
    expect(resolve(openRequest(name), "expired")).toMatchObject({
      type: `${name}_resolved`,
      turn_id: "t1",
      data: { outcome: "expired" },
    });
  });

  test("that expires gives the agent an answer of the fitting type", () => {
    const request = openRequest(name);
    if (request.type === "budget_request") throw new Error("no agent asks for a budget");
    expect(expiredAnswer(request).type).toBe(fitting[name].type);
  });
});

describe("permissions", () => {
  const control = askedFor("permission");
  const allow = { type: "permission_response", correlation_id: "r1", behavior: "allow" } as const;

  test("only an admin widens an agent's permissions", () => {
    const widening = { ...allow, updated_permissions: [{ rule: "all" }] };
    expect(decide(control, widening, context)).toMatchObject({ error: { code: "forbidden" } });
    expect(decide(control, widening, { ...context, isAdmin: true }).ok).toBe(true);
  });

  test("an input that comes back unchanged is not an edit", () => {
    const rigid = controlAfter(
      readyWith({ ...everyCapability, edit_tool_input: false }),
      ...runningTurn,
      openRequestDrafts.permission,
    );
    expect(decide(rigid, { ...allow, updated_input: { command: "ls" } }, context).ok).toBe(true);
    expect(decide(rigid, { ...allow, updated_input: { command: "rm" } }, context)).toMatchObject({
      error: { code: "capability_missing" },
    });
  });
});

test.each(["constructor", "__proto__", "r2"])("the request id %s is unknown", (id) => {
  const answer = { type: "permission_response", correlation_id: id, behavior: "deny" } as const;
  expect(decide(askedFor("permission"), answer, context)).toMatchObject({
    error: { code: "request_not_found" },
  });
});

describe("a question of a program", () => {
  const asked = draft("interrupt", {
    interrupt_id: "p1",
    component_name: "approval",
    props: {},
    surface: "chat",
    by: "back-end",
  });
  const control = controlAfter(...begun, asked);

  test("is answered in the log alone: no agent waits for it", () => {
    const answer = { type: "interrupt_response", interrupt_id: "p1", value: "yes" } as const;
    expect(decide(control, answer, context)).toEqual({
      ok: true,
      events: [
        {
          type: "interrupt_resolved",
          data: { interrupt_id: "p1", value: "yes", outcome: "answered", by: "ann" },
        },
      ],
      effects: [],
    });
  });

  test("is not ended by a stop of the turn", () => {
    expect(decide(control, { type: "interrupt" }, context)).toMatchObject({ events: [] });
  });
});
