import { describe, expect, test } from "vitest";
import { draft, type EventDraft } from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import { decide } from "./decide.ts";
import { settle } from "./settle.ts";
import {
  controlAfter,
  everyCapability,
  openRequestDrafts,
  readyWith,
  runningTurn,
} from "../test-support/control.ts";

const rule = { type: "addRules", rule: "npm test" };
const mode = { type: "setMode", mode: "default" };
const context = {
  by: "ann",
  isAdmin: true,
  messageId: "new",
  maxQueue: 2,
  requestTimeoutMs: 60_000,
  policy: defaultPolicy(),
  now: 0,
  grantsFrom: (_request: unknown, updates: readonly object[]) =>
    updates.filter((update) => "rule" in update) as (typeof rule)[],
};
const asked = [readyWith(everyCapability), ...runningTurn, openRequestDrafts.permission];
const answer = {
  type: "permission_response",
  correlation_id: "r1",
  behavior: "allow",
} as const;

function granted(grant_id: string, permission = rule): EventDraft {
  return draft("permission_granted", { grant_id, tool_name: "Bash", permission });
}

describe("an answer that allows more than this use", () => {
  test("leaves a trace of all of it, and a grant of what the agent remembers", () => {
    expect(
      decide(controlAfter(...asked), { ...answer, updated_permissions: [mode, rule] }, context),
    ).toMatchObject({
      ok: true,
      events: [
        { type: "permission_resolved", data: { updated_permissions: [mode, rule] } },
        {
          type: "permission_granted",
          data: { grant_id: "r1.0", tool_name: "Bash", permission: rule, by: "ann" },
        },
      ],
      effects: [{ type: "set_grants", permissions: [rule] }, { type: "answer" }],
    });
  });

  test("grants nothing that is granted already, and keeps what was", () => {
    const control = controlAfter(...asked, granted("g"));
    const other = { ...rule, rule: "npm run lint" };
    expect(
      decide(control, { ...answer, updated_permissions: [rule, other] }, context),
    ).toMatchObject({
      events: [{ type: "permission_resolved" }, { data: { permission: other } }],
      effects: [{ type: "set_grants", permissions: [rule, other] }, { type: "answer" }],
    });
  });

  test("grants nothing when it denies", () => {
    const decision = decide(
      controlAfter(...asked),
      { ...answer, behavior: "deny", updated_permissions: [rule] },
      context,
    );
    expect(decision).toMatchObject({ events: [{ type: "permission_resolved" }] });
    expect(decision.ok && decision.events[0]?.data).not.toHaveProperty("updated_permissions");
  });

  test("has no updated input where it sends the same back", () => {
    const decision = decide(
      controlAfter(...asked),
      {
        type: "permission_response",
        correlation_id: "r1",
        behavior: "allow",
        updated_input: { command: "ls" },
      },
      context,
    );
    expect(decision.ok && decision.events[0]?.data).not.toHaveProperty("updated_input");
  });
});

test("a revocation leaves the other grants", () => {
  const control = controlAfter(...asked, granted("a"), granted("b", { ...rule, rule: "ls" }));
  expect(decide(control, { type: "revoke_permission", grant_id: "a" }, context)).toEqual({
    ok: true,
    events: [{ type: "permission_revoked", data: { grant_ids: ["a"], by: "ann" } }],
    effects: [{ type: "set_grants", permissions: [{ ...rule, rule: "ls" }] }],
  });
});

describe("when the agent is gone", () => {
  const cause = { code: "agent_exited", message: "gone" } as const;

  test("what it alone remembered is over", () => {
    const forgetful = readyWith({ ...everyCapability, revoke_permissions: false });
    expect(settle(controlAfter(forgetful, granted("a"), granted("b")), cause)).toEqual([
      { type: "permission_revoked", data: { grant_ids: ["a", "b"] } },
    ]);
  });

  test("what can be revoked stays", () => {
    expect(settle(controlAfter(readyWith(everyCapability), granted("a")), cause)).toEqual([]);
  });
});
