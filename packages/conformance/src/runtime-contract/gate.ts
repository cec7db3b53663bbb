import type { SessionEvent, SessionEventOf } from "@turnwire/protocol";
import { type Runtime, RuntimeError, type RunOptions } from "@turnwire/runtime";
import { describe, expect, test, type TestContext } from "vitest";
import { type Bench, endOf, type SharedRun } from "./bench.ts";
import type { RunRecorder } from "./run-recorder.ts";

type ToolGate = NonNullable<RunOptions["gate"]>;
type GatedCall = Parameters<ToolGate["judge"]>[0];
type PolicyDecision = NonNullable<Awaited<ReturnType<ToolGate["judge"]>>>;

/** Changes that a policy may make to a turn. */
const heldTypes = new Set([
  "tool_start",
  "policy_decision",
  "permission_request",
  "permission_resolved",
  "tool_result",
  "result",
  "done",
]);

/** Holds a runtime that claims `tool_policy` to the gate of its session. */
export function testGate(bench: Bench, shared: SharedRun): void {
  const { effect, refusesTurns = false } = bench;
  const { permission, tool: prompt = permission } = bench.prompts;

  /** A runtime with `tool_policy`, others skip the test; what the tool of an earlier test left behind is gone. */
  async function open({ skip }: TestContext): Promise<Runtime> {
    const runtime = await bench.open();
    skip(!runtime.capabilities.tool_policy, "it does not claim tool_policy");
    effect?.remove();
    return runtime;
  }

  function send(recorder: RunRecorder): Promise<string> {
    if (prompt !== undefined) return recorder.send(prompt);
    throw new Error("It claims tool_policy: prompts.permission or prompts.tool must use a tool.");
  }

  /** Uses the tool, by a person who allows whatever is asked. */
  async function use(recorder: RunRecorder): Promise<SessionEvent[]> {
    const turnId = await send(recorder);
    for (;;) {
      const event = await recorder.next();
      if (!event) throw new Error("The run ended in the middle of its turn.");
      if (event.type === "done") break;
      if (event.type !== "permission_request") continue;
      const { correlation_id } = event.data;
      await recorder.answer({ type: "permission_response", correlation_id, behavior: "allow" });
    }
    return recorder.events.filter(({ turn_id }) => turn_id === turnId);
  }

  function expectRefused(events: readonly SessionEvent[], decision: object): void {
    const [started, ...more] = dataOf(events, "tool_start");
    expect(more).toEqual([]);
    const tool_use_id = started?.tool_use_id;
    expect(dataOf(events, "policy_decision")).toMatchObject([
      { ...decision, tool_use_id, verdict: "deny" },
    ]);
    expect(dataOf(events, "tool_result")).toMatchObject([{ tool_use_id, is_error: true }]);
    expect(dataOf(events, "permission_request")).toEqual([]);
    expect(effect?.isThere() ?? false).toBe(false);
  }

  function testTurns(): void {
    const gates = [
      { what: "denies", judge: judgeBy("deny") },
      { what: "asks a person", judge: judgeBy("ask") },
      { what: "throws", judge: fail },
    ];
    test.for(gates)("refuses the turn where the gate $what", async ({ judge }, context) => {
      const recorder = await bench.start(await open(context), { gate: { sandbox: "off", judge } });
      await expect(send(recorder)).rejects.toBeInstanceOf(RuntimeError);
      await recorder.run.close();
      expect(effect?.isThere() ?? false).toBe(false);
    });
  }

  function testUses(): void {
    let judge: ToolGate["judge"] = async () => undefined;
    const gated = bench.shareRun({ gate: { sandbox: "off", judge: (call) => judge(call) } });

    test("asks the gate before the tool runs", async (context) => {
      await open(context);
      const calls: (GatedCall & { hasRun: boolean })[] = [];
      judge = async (call) => {
        calls.push({ ...call, hasRun: effect?.isThere() ?? false });
        return decisionOn(call, "allow");
      };
      const events = await use(await gated.idle());
      const [started] = dataOf(events, "tool_start");
      expect(calls[0]).toMatchObject({ toolUseId: started?.tool_use_id, hasRun: false });
      const allowed = { tool_use_id: started?.tool_use_id, verdict: "allow" };
      expect(dataOf(events, "policy_decision")).toMatchObject([allowed]);
      expect(dataOf(events, "permission_request")).toEqual([]);
      expect(dataOf(events, "tool_result")).toMatchObject([{ is_error: false }]);
      expect(effect?.isThere() ?? true).toBe(true);
    });

    test("does not run what the gate denies, and continues", async (context) => {
      await open(context);
      judge = judgeBy("deny");
      const events = await use(await gated.idle());
      expectRefused(events, { rule: "contract-deny", mode: "contract" });
      expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
    });

    test("does not run a tool whose gate throws", async (context) => {
      await open(context);
      judge = fail;
      const events = await use(await gated.idle());
      expectRefused(events, {});
      expect(endOf(events)).toMatchObject({ subtype: "success", isStopped: false });
    });

    test("asks a person where the gate says so, and states the rule", async (context) => {
      await open(context);
      judge = judgeBy("ask");
      const events = await use(await gated.idle());
      const policy = { rule: "contract-ask", mode: "contract", policy_version: "1" };
      expect(dataOf(events, "permission_request")).toMatchObject([{ policy }]);
      expect(dataOf(events, "policy_decision")).toMatchObject([{ verdict: "ask" }]);
      expect(dataOf(events, "tool_result")).toMatchObject([{ is_error: false }]);
    });

    test("asks the gate again about each use", async (context) => {
      await open(context);
      judge = judgeBy("allow");
      const recorder = await gated.idle();
      const first = await use(recorder);
      expect(dataOf(first, "tool_result")).toMatchObject([{ is_error: false }]);
      effect?.remove();
      judge = judgeBy("deny");
      expectRefused(await use(recorder), { rule: "contract-deny" });
    });
  }

  describe("under a policy", () => {
    test("changes nothing where the gate says undefined", async (context) => {
      const runtime = await open(context);
      const free = await use(await shared.idle());
      effect?.remove();
      const gate: ToolGate = { sandbox: undefined, judge: async () => undefined };
      const gated = await use(await bench.start(runtime, { gate }));
      expect(heldTypesOf(gated)).toEqual(heldTypesOf(free));
      expect(effect?.isThere() ?? true).toBe(true);
    });

    if (refusesTurns) testTurns();
    else testUses();
  });
}

function decisionOn(
  { tool, toolUseId }: GatedCall,
  verdict: PolicyDecision["verdict"],
): PolicyDecision {
  return {
    tool,
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
    verdict,
    rule: `contract-${verdict}`,
    reason: `the contract says ${verdict}`,
    mode: "contract",
    policy_version: "1",
  };
}

function judgeBy(verdict: PolicyDecision["verdict"]): ToolGate["judge"] {
  return async (call) => decisionOn(call, verdict);
}

async function fail(): Promise<never> {
  throw new Error("This gate fails.");
}

function dataOf<Type extends SessionEvent["type"]>(
  events: readonly SessionEvent[],
  type: Type,
): SessionEventOf<Type>["data"][] {
  return events.flatMap((event) => (isOfType(event, type) ? [event.data] : []));
}

function isOfType<Type extends SessionEvent["type"]>(
  event: SessionEvent,
  type: Type,
): event is Extract<SessionEvent, SessionEventOf<Type>> {
  return event.type === type;
}

function heldTypesOf(events: readonly SessionEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => heldTypes.has(type));
}
