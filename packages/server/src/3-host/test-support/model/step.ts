import type { AgentRequestType } from "./request-draft.ts";
import * as fc from "fast-check";
import { faultyCalls, type StoreFault } from "./faulty-store.ts";
import type { RunCall } from "./model-run.ts";

/** What an agent does by itself. */
export type AgentAct =
  | "speak"
  | "notice"
  | "use_tool"
  | "finish"
  | "task"
  | "begin_turn"
  | "die"
  | "exit"
  | AgentRequestType;

/** One thing that happens. Sessions, readers, messages and the like are named by number, modulo how many there are. */
export type Act =
  | { readonly type: "create" }
  | {
      readonly type: "message";
      readonly session: number;
      readonly delivery?: "turn" | "queue" | "steer";
      readonly hasClientId: boolean;
      readonly isUnattended?: boolean;
      /** By the session object of an earlier request, as an open WebSocket does. */
      readonly isHeld: boolean;
    }
  | { readonly type: "retry"; readonly message: number }
  | { readonly type: "cancel"; readonly message: number }
  | { readonly type: "answer"; readonly request: number }
  | { readonly type: "rollback"; readonly session: number; readonly turn: number }
  | {
      readonly type: "policy_mode";
      readonly session: number;
      readonly mode: string | null;
      /** By someone who may not loosen it. */
      readonly isGuest: boolean;
    }
  | {
      readonly type:
        | "interrupt"
        | "compact"
        | "fork"
        | "archive"
        | "unarchive"
        | "rename"
        | "state_patch"
        | "show_component"
        | "remove_component"
        | "component_callback"
        | "add_to_catalog"
        | "limit"
        | "raise"
        | "wake"
        | "snapshot"
        | "delete";
      readonly session: number;
    }
  | { readonly type: "read"; readonly session: number; readonly isFromStart: boolean }
  | { readonly type: "cut" | "resume"; readonly reader: number }
  | { readonly type: "advance"; readonly ms: number }
  | { readonly type: "restart" }
  | { readonly type: "crash" }
  | { readonly type: "agent"; readonly run: number; readonly act: AgentAct }
  | { readonly type: "slow" | "release" | "fail"; readonly call: RunCall }
  | { readonly type: "fault"; readonly fault: StoreFault }
  | { readonly type: "store_release" };

/** An act, and how many turns the event loop runs before the next one. */
export interface Step {
  readonly act: Act;
  readonly turns: number;
}

export interface History {
  /** How many sessions there are when it begins. */
  readonly sessions: number;
  readonly maxLiveRuns: number;
  readonly retainEvents?: number;
  readonly steps: readonly Step[];
}

export const idleMs = 60_000;
export const interruptMs = 10_000;
export const requestTimeoutMs = 3_600_000;
export const renewMs = 10_000;

const session = fc.nat(3);
const call = fc.constantFrom<RunCall>(
  "start",
  "send",
  "steer",
  "interrupt",
  "compact",
  "rollback",
  "close",
);

const message = fc.record({
  type: fc.constant("message" as const),
  session,
  hasClientId: fc.boolean(),
  isHeld: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
});
const unattended = message.map((plain) => ({ ...plain, isUnattended: true }));
const policyMode = fc.record({
  type: fc.constant("policy_mode" as const),
  session,
  mode: fc.constantFrom("planner", "implementation", "unrestricted", "unknown", null),
  isGuest: fc.boolean(),
});
const delivery = fc.constantFrom("turn" as const, "queue" as const, "steer" as const);

const clientAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: message },
  { weight: 3, arbitrary: unattended },
  { weight: 4, arbitrary: policyMode },
  {
    weight: 6,
    arbitrary: fc.tuple(message, delivery).map(([plain, wish]) => ({ ...plain, delivery: wish })),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("retry" as const), message: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("cancel" as const), message: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("answer" as const), request: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("rollback" as const),
      session,
      turn: fc.nat(4),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("interrupt" as const), session }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "compact" as const,
        "fork" as const,
        "archive" as const,
        "unarchive" as const,
        "rename" as const,
        "state_patch" as const,
        "show_component" as const,
        "remove_component" as const,
        "component_callback" as const,
        "add_to_catalog" as const,
        "limit" as const,
        "raise" as const,
        "wake" as const,
        "snapshot" as const,
      ),
      session,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("delete" as const), session }) },
);

const readerAct: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ type: fc.constant("read" as const), session, isFromStart: fc.boolean() }),
  fc.record({ type: fc.constant("cut" as const), reader: fc.nat(3) }),
  fc.record({ type: fc.constant("resume" as const), reader: fc.nat(3) }),
);

const agentAct: fc.Arbitrary<Act> = fc.record({
  type: fc.constant("agent" as const),
  run: fc.nat(3),
  act: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom<AgentAct>("finish"),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom<AgentAct>("speak", "notice", "use_tool", "task", "begin_turn"),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<AgentAct>(
        "permission_request",
        "question_request",
        "hook_request",
        "interrupt",
        "tool_call_request",
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom<AgentAct>("die", "exit") },
  ),
});

const slownessAct: fc.Arbitrary<Act> = fc.record({
  type: fc.constantFrom("slow" as const, "release" as const, "fail" as const),
  call,
});

const faultAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("fault" as const),
      fault: fc.record({
        call: fc.oneof(
          { weight: 3, arbitrary: fc.constant("append" as const) },
          fc.constantFrom(...faultyCalls),
        ),
        kind: fc.constantFrom(
          "fail" as const,
          "fail_after" as const,
          "delay" as const,
          "steal" as const,
        ),
        skip: fc.nat(3),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ type: "store_release" as const }) },
);

const timeAct: fc.Arbitrary<Act> = fc.record({
  type: fc.constant("advance" as const),
  ms: fc.constantFrom(renewMs, interruptMs, idleMs, idleMs, requestTimeoutMs),
});

const processAct: fc.Arbitrary<Act> = fc.constantFrom(
  { type: "restart" as const },
  { type: "crash" as const },
);

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: "create" as const }) },
  { weight: 40, arbitrary: clientAct },
  { weight: 25, arbitrary: agentAct },
  { weight: 8, arbitrary: readerAct },
  { weight: 6, arbitrary: timeAct },
  { weight: 8, arbitrary: slownessAct },
  { weight: 5, arbitrary: faultAct },
  { weight: 3, arbitrary: processAct },
);

const step: fc.Arbitrary<Step> = fc.record({
  act,
  turns: fc.constantFrom(0, 1, 2, 3, 10),
});

/** Any history: it shrinks by leaving out steps and by letting less time pass between them. */
export function historyArbitrary(maxSteps: number): fc.Arbitrary<History> {
  return fc.record(
    {
      sessions: fc.constantFrom(1, 2, 3),
      maxLiveRuns: fc.constantFrom(1, 2, 3),
      retainEvents: fc.constantFrom(8, 20),
      steps: fc.array(step, { minLength: 1, maxLength: maxSteps, size: "max" }),
    },
    { requiredKeys: ["sessions", "maxLiveRuns", "steps"] },
  );
}

/** A history as a person reads it, one step on each line. */
export function historyText({ steps, ...settings }: History): string {
  const lines = steps.map(({ act: { type, ...details }, turns }, index) => {
    const what = Object.keys(details).length > 0 ? ` ${JSON.stringify(details)}` : "";
    return `  ${index + 1}. ${type}${what}, then ${turns} turns of the loop`;
  });
  return [JSON.stringify(settings), ...lines].join("\n");
}
