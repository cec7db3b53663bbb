import * as fc from "fast-check";

/** What happens at one moment; hosts, sessions, agents and messages are named by a number, whichever there are. */
export type HostsAct =
  | {
      readonly type: "message" | "steer";
      readonly host: number;
      session: number;
      hasClientId: boolean;
    }
  /** The same message again, maybe at another host. */
  | { readonly type: "resend"; readonly host: number; message: number }
  /** Two people answer what a session asks at the same moment. */
  | { readonly type: "answer"; readonly host: number; other: number; session: number }
  /** Two people make a session of the same name at the same moment. */
  | { readonly type: "create"; readonly host: number; other: number }
  /** Somebody takes a message back. */
  | { readonly type: "cancel"; readonly host: number; message: number }
  | { readonly type: "agent"; readonly run: number; act: AgentAct }
  | { readonly type: "read" | "delete" | SessionAct; readonly host: number; session: number }
  /** The clock of a host is set, an hour forward or back. */
  | { readonly type: "set_clock"; readonly host: number; hours: 1 | -1 }
  | { readonly type: HostFault; readonly host: number }
  | { readonly type: "wait"; readonly ms: number };

export type AgentAct = "speak" | "ask" | "finish" | "die";
/** What is asked of a session by one command; a rollback goes back before its newest turn. */
export type SessionAct =
  | "interrupt"
  | "archive"
  | "unarchive"
  | "fork"
  | "rollback"
  | "compact"
  | "rename"
  | "wake";
export type HostFault =
  | "crash"
  | "pause"
  | "resume"
  | "cut"
  | "heal"
  /** It hears nothing of what happens in the store, and does not know that. */
  | "deafen"
  | "hear"
  | "restart"
  | "drain";

export interface HostsStep {
  readonly act: HostsAct;
  /** How many turns of the event loop follow. */
  readonly turns: number;
}

export interface HostsHistory {
  /** What hosts leave to chance, in hundredths: one after the other, then from the first again. */
  readonly chances: readonly number[];
  readonly hosts: number;
  readonly sessions: number;
  /** How many kinds of hosts there are that do not see each other's directories; 1 by default. */
  readonly storages?: number;
  readonly idleMs?: number | undefined;
  /** How many agents all hosts run at once. */
  readonly maxSharedRuns?: number | undefined;
  readonly steps: readonly HostsStep[];
}

const number = fc.nat({ max: 5 });

const act: fc.Arbitrary<HostsAct> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom<("message" | "steer")[]>("message", "message", "message", "steer"),
      host: number,
      session: number,
      hasClientId: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("resend" as const), host: number, message: number }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("cancel" as const), host: number, message: number }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant("create" as const), host: number, other: number }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("answer" as const),
      host: number,
      other: number,
      session: number,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("agent" as const),
      run: number,
      act: fc.constantFrom<AgentAct[]>("speak", "ask", "ask", "finish", "finish", "die"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom<("read" | "delete" | SessionAct)[]>(
        "read",
        "read",
        "read",
        "interrupt",
        "delete",
      ),
      host: number,
      session: number,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom<SessionAct[]>(
        "archive",
        "unarchive",
        "fork",
        "rollback",
        "compact",
        "rename",
        "wake",
      ),
      host: number,
      session: number,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("set_clock" as const),
      host: number,
      hours: fc.constantFrom<(1 | -1)[]>(1, -1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom<HostFault[]>(
        "crash",
        "pause",
        "resume",
        "cut",
        "heal",
        "deafen",
        "hear",
        "restart",
        "drain",
        "drain",
      ),
      host: number,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("wait" as const),
      ms: fc.constantFrom(500, 4_000, 11_000),
    }),
  },
);

export function hostsHistoryArbitrary(maxLength: number): fc.Arbitrary<HostsHistory> {
  return fc.record({
    chances: fc.array(fc.nat({ max: 99 }), { minLength: 1, maxLength: 8 }),
    hosts: fc.constantFrom(2, 3),
    sessions: fc.constantFrom(1, 2),
    storages: fc.constantFrom(1, 1, 2),
    idleMs: fc.constantFrom(undefined, 5_000),
    maxSharedRuns: fc.constantFrom(undefined, undefined, 1, 2),
    steps: fc.array(fc.record({ act, turns: fc.nat({ max: 8 }) }), { maxLength }),
  });
}
