import {
  checkGrammar,
  type Control,
  draft,
  type EventDraft,
  foldControl,
  type GrammarRule,
  initialControl,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";
import { defaultPolicy } from "@turnwire/policy";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit } from "./admit.ts";
import { decide } from "./decide.ts";
import { settle } from "./settle.ts";

/** A log in memory that takes what admit, decide and settle give it. */
class PlainLog {
  readonly events: SessionEvent[] = [];
  control: Control = initialControl();

  append(drafts: readonly EventDraft[]): void {
    for (const event of drafts) {
      const placed: SessionEvent = {
        seq: this.events.length + 1,
        ts: "2026-01-01T00:00:00.000Z",
        ...event,
      };
      this.events.push(placed);
      this.control = foldControl(this.control, placed);
    }
  }
}

function openLog(): PlainLog {
  const log = new PlainLog();
  log.append([
    draft("session_ready", {
      session_id: "s",
      protocol_version: "1.0",
      runtime: "rogue",
      capabilities: { ...noCapabilities, interrupt: true, permissions: true },
    }),
  ]);
  return log;
}

const context = {
  runtime: "rogue",
  expiresAt: "2026-01-01T01:00:00.000Z",
  now: "2026-01-01T00:00:00.000Z",
  toolCallExpiresAt: (toolName: string) =>
    toolName === "slow" ? "2026-01-01T00:05:00.000Z" : "2026-01-01T00:01:00.000Z",
};
const id = fc.constantFrom("a", "b", "constructor", "__proto__");

/** Anything an agent could say at any time, however wrong. */
const rogueDraft: fc.Arbitrary<EventDraft> = fc.oneof(
  id.map((turn_id) => draft("done", { turn_id })),
  id.map((turn_id) => draft("turn_started", { turn_id })),
  id.map((turn_id) => draft("result", { turn_id, subtype: "success", is_error: false })),
  id.map((correlation_id) =>
    draft("permission_request", { correlation_id, tool_name: "Bash", tool_input: {} }),
  ),
  id.map((correlation_id) =>
    draft("permission_resolved", {
      correlation_id,
      tool_name: "Bash",
      allowed: true,
      outcome: "answered",
    }),
  ),
  id.map((interrupt_id) =>
    draft("interrupt", { interrupt_id, component_name: "form", props: {}, surface: "chat" }),
  ),
  fc.constant(draft("session_closed", { reason: "deleted" })),
  fc.constant(draft("user_message", { message_id: "forged", content: [], delivery: "turn" })),
  fc.constant(draft("message_cancelled", { message_id: "forged" })),
  fc.constant(draft("delta", { message_id: "m", text: "hi" })),
);

const step = fc.oneof(
  { weight: 6, arbitrary: rogueDraft.map((event) => ({ type: "agent" as const, event })) },
  { weight: 2, arbitrary: fc.constant({ type: "message" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "interrupt" as const }) },
  { weight: 2, arbitrary: id.map((correlationId) => ({ type: "answer" as const, correlationId })) },
  { weight: 1, arbitrary: fc.constant({ type: "death" as const }) },
  { weight: 3, arbitrary: id.map((turnId) => ({ type: "start" as const, turnId })) },
);

/** The rules that hold whatever an agent does; the others are for runtimes to keep. */
const guaranteed: ReadonlySet<GrammarRule> = new Set<GrammarRule>([
  "seq_not_contiguous",
  "not_ready_first",
  "event_after_close",
  "message_repeated",
  "message_not_waiting",
  "turn_overlaps",
  "turn_unknown",
  "turn_not_running",
  "request_repeated",
  "request_not_open",
  "request_open_at_done",
]);

describe("what the log takes of an agent", () => {
  test("obeys the grammar of turns and requests whatever the agent, people and crashes do", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const log = openLog();
        let count = 0;
        for (const action of steps) {
          count += 1;
          if (action.type === "agent") log.append(admit(log.control, action.event, context));
          else if (action.type === "death") {
            log.append(settle(log.control, { code: "agent_exited", message: "gone" }));
          } else if (action.type === "start") {
            const next = log.control.queue[0];
            const turnId = `${action.turnId}-${count}`;
            if (!log.control.turn && next) {
              const data = { turn_id: turnId, message_id: next.message_id };
              log.append([draft("turn_started", data, { turn_id: turnId })]);
            }
          } else {
            const context = {
              by: "me",
              isAdmin: true,
              messageId: `m${count}`,
              maxQueue: 3,
              requestTimeoutMs: 60_000,
              policy: defaultPolicy(),
              now: 0,
            };
            const command =
              action.type === "message"
                ? ({ type: "user_message", content: "hi" } as const)
                : action.type === "interrupt"
                  ? ({ type: "interrupt" } as const)
                  : ({
                      type: "permission_response",
                      correlation_id: action.correlationId,
                      behavior: "allow",
                    } as const);
            const decision = decide(log.control, command, context);
            if (decision.ok) log.append(decision.events);
          }
        }
        const broken = checkGrammar(log.events).filter(({ rule }) => guaranteed.has(rule));
        expect(broken).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("loses nothing: what it refuses stays as native, under its turn", () => {
    const log = openLog();
    const forged = draft("session_closed", { reason: "deleted" });
    expect(admit(log.control, forged, context)).toEqual([
      draft("native", {
        source: "rogue",
        payload: { type: "session_closed", data: { reason: "deleted" } },
      }),
    ]);
  });

  test("gives the call of a frontend tool the time of that tool, unless the agent names one", () => {
    const log = openLog();
    const expiryOf = (tool_name: string, named: { expires_at?: string } = {}) => {
      const data = { correlation_id: tool_name, tool_name, input: {}, ...named };
      const [taken] = admit(log.control, draft("tool_call_request", data), context);
      return taken?.type === "tool_call_request" && taken.data.expires_at;
    };
    expect(expiryOf("quick")).toBe("2026-01-01T00:01:00.000Z");
    expect(expiryOf("slow")).toBe("2026-01-01T00:05:00.000Z");
    expect(expiryOf("slow", { expires_at: "2026-01-01T00:09:00.000Z" })).toBe(
      "2026-01-01T00:09:00.000Z",
    );
  });

  test("ends open requests before their turn", () => {
    const log = openLog();
    log.append([draft("turn_started", { turn_id: "t" }, { turn_id: "t" })]);
    const asked = draft("permission_request", {
      correlation_id: "p",
      tool_name: "Bash",
      tool_input: {},
    });
    log.append(admit(log.control, asked, context));
    const taken = admit(log.control, draft("done", { turn_id: "t" }), context);
    expect(taken.map((event) => event.type)).toEqual(["permission_resolved", "done"]);
  });
});
