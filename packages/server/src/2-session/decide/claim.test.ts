import { type Control, draft, type EventDraft, toolCallClaimMs } from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import { describe, expect, test } from "vitest";
import { decide } from "./decide.ts";
import {
  controlAfter,
  everyCapability,
  openRequestDrafts,
  readyWith,
  runningTurn,
} from "../test-support/control.ts";

const policy = defaultPolicy();

const now = Date.UTC(2026, 10, 15, 9);
const called = [readyWith(everyCapability), ...runningTurn, openRequestDrafts.tool_call];

function claimed(claimId: string, atMs: number): EventDraft {
  const expires_at = new Date(atMs + toolCallClaimMs).toISOString();
  const data = { correlation_id: "r1", claim_id: claimId, expires_at, by: "ann" };
  return draft("tool_call_claimed", data, { turn_id: "t1" });
}

function claim(control: Control, claimId: string, atMs: number) {
  const command = { type: "tool_call_claim", correlation_id: "r1", claim_id: claimId } as const;
  const context = {
    by: "ann",
    isAdmin: false,
    messageId: "new",
    maxQueue: 2,
    requestTimeoutMs: 60_000,
    now: atMs,
    policy,
  };
  return decide(control, command, context);
}

const nothing = { ok: true, events: [], effects: [] };

describe("an open tool call", () => {
  test("is taken by the first claim, in its turn, and the agent hears nothing of it", () => {
    const decision = claim(controlAfter(...called), "p1", now);
    expect(decision).toEqual({ ok: true, events: [claimed("p1", now)], effects: [] });
  });

  test.each([
    ["at once", 0],
    ["just before it runs out", toolCallClaimMs - 1],
  ])("that is claimed is refused to another page: %s", (_when, passedMs) => {
    const decision = claim(controlAfter(...called, claimed("p1", now)), "p2", now + passedMs);
    expect(decision).toMatchObject({
      ok: false,
      error: {
        code: "already_claimed",
        details: { id: "r1", left_ms: toolCallClaimMs - passedMs },
      },
    });
  });

  test("is taken over by another page when the claim has run out", () => {
    const later = now + toolCallClaimMs;
    const decision = claim(controlAfter(...called, claimed("p1", now)), "p2", later);
    expect(decision).toEqual({ ok: true, events: [claimed("p2", later)], effects: [] });
  });

  test("is claimed again by the same page: soon, nothing new; later, for longer", () => {
    const control = controlAfter(...called, claimed("p1", now));
    expect(claim(control, "p1", now + 4_999)).toEqual(nothing);
    const decision = claim(control, "p1", now + 10_000);
    expect(decision).toMatchObject({ events: [claimed("p1", now + 10_000)] });
    const late = claim(control, "p1", now + 2 * toolCallClaimMs);
    expect(late).toMatchObject({ events: [claimed("p1", now + 2 * toolCallClaimMs)] });
  });

  test("that has ended is not claimed: its outcome is named", () => {
    const ended = draft("tool_call_resolved", { correlation_id: "r1", outcome: "cancelled" });
    expect(claim(controlAfter(...called, ended), "p1", now)).toMatchObject({
      error: { code: "already_resolved", details: { id: "r1", outcome: "cancelled" } },
    });
  });

  test("that is claimed is still answered by whoever answers first", () => {
    const control = controlAfter(...called, claimed("p1", now));
    const answer = { type: "tool_call_response", correlation_id: "r1", output: 1 } as const;
    const context = {
      by: "eve",
      isAdmin: false,
      messageId: "new",
      maxQueue: 2,
      requestTimeoutMs: 60_000,
      now,
      policy,
    };
    expect(decide(control, answer, context)).toMatchObject({
      events: [{ type: "tool_call_resolved" }],
      effects: [{ type: "answer" }],
    });
  });
});
