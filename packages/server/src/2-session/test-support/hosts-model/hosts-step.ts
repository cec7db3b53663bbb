import * as fc from "fast-check";

/** What happens at one moment; hosts, sessions, agents and messages are named by a number, whichever there are. */
export type HostsAct =
  | { readonly type: "message"; readonly host: number; session: number; hasClientId: boolean }
  /** The same message again, maybe at another host. */
  | { readonly type: "resend"; readonly host: number; message: number }
  /** Two people answer what a session asks at the same moment. */
  | { readonly type: "answer"; readonly host: number; other: number; session: number }
  | { readonly type: "agent"; readonly run: number; act: AgentAct }
  | { readonly type: "read" | "delete" | SessionAct; readonly host: number; session: number }
  /** The clock of a host is set, an hour forward or back. */
  | { readonly type: "set_clock"; readonly host: number; hours: 1 | -1 }
  | { readonly type: HostFault; readonly host: number }
  | { readonly type: "wait"; readonly ms: number };

export type AgentAct = "speak" | "ask" | "finish" | "die";
/** What is asked of a session by one command; a rollback goes back before its newest turn. */
export type SessionAct = "interrupt" | "archive" | "unarchive" | "fork" | "rollback";
export type HostFault = "crash" | "pause" | "resume" | "cut" | "heal" | "restart" | "drain";

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
  readonly steps: readonly HostsStep[];
}

const number = fc.nat({ max: 5 });

const act: fc.Arbitrary<HostsAct> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("message" as const),
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
      type: fc.constantFrom<SessionAct[]>("archive", "unarchive", "fork", "rollback"),
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
    steps: fc.array(fc.record({ act, turns: fc.nat({ max: 8 }) }), { maxLength }),
  });
}
