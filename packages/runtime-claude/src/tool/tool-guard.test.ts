import type { HookJSONOutput, PreToolUseHookInput } from "@anthropic-ai/claude-agent-sdk";
import type { JsonObject } from "@turnwire/protocol";
import { realpathSync } from "node:fs";
import { type ConfinementNeed, SessionContainment } from "@turnwire/runtime/containment";
import { describe, expect, test } from "vitest";
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import type { RequestAnswer, GatedCall, PolicyDecision } from "@turnwire/runtime";
import { PendingRequests } from "./pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { ToolGuard } from "./tool-guard.ts";

const Verdict = z.enum(["allow", "ask", "deny"]);
type Verdict = z.infer<typeof Verdict>;
const Input = z.object({ command: z.string() });
type Judge = (call: GatedCall) => PolicyDecision | undefined;

/** Says of each command what it is called: `deny x` is denied. */
const byName = ({ tool, input, toolUseId }: GatedCall): PolicyDecision => ({
  tool,
  tool_use_id: toolUseId ?? "none",
  verdict: Verdict.parse(Input.parse(input).command.split(" ")[0]),
  rule: "by-name",
  reason: "it is called so",
  mode: "named",
  policy_version: "1",
});

const bounds: ConfinementNeed = {
  key: "bounds",
  writes: "nothing",
  reads: "inside",
  roots: [realpathSync(import.meta.dirname)],
  secretPaths: [],
  isSecret: () => false,
  isFixed: () => false,
};

/** It only writes command lines here. */
const containment = new SessionContainment(
  { program: "bwrap", path: "/usr/bin/bwrap", shell: "/bin/bash" },
  { env: {}, home: "/nowhere", privatePaths: [] },
);

interface Setup {
  readonly judge?: Judge;
  readonly isHooked?: boolean;
  readonly hasOtherHooks?: boolean;
  readonly isContained?: boolean;
  readonly emit?: (message: RunMessage) => void;
}

class Guarded {
  readonly said: RunMessage[] = [];
  readonly requests: PendingRequests;
  readonly guard: ToolGuard;
  #uses = 0;

  constructor({ judge = byName, isHooked = false, ...setup }: Setup = {}) {
    const { hasOtherHooks = false, isContained = false, emit } = setup;
    const hear = emit ?? ((message: RunMessage) => void this.said.push(message));
    this.requests = new PendingRequests(hear, () => false);
    this.guard = new ToolGuard({ requests: this.requests, emit: hear, isHooked });
    const gate = {
      judge: async (call: GatedCall) => judge(call),
      sandbox: undefined,
      confinement: isContained ? bounds : undefined,
    };
    this.guard.guard({ gate, hasOtherHooks, containment });
  }

  async use(command: string, more: Partial<PreToolUseHookInput> = {}) {
    this.#uses += 1;
    const source: PreToolUseHookInput = {
      hook_event_name: "PreToolUse",
      session_id: "s1",
      transcript_path: "/t",
      cwd: "/p",
      permission_mode: "bypassPermissions",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `t${this.#uses}`,
      ...more,
    };
    const signal = new AbortController().signal;
    return toolDecision(await this.guard.preToolUse(source, source.tool_use_id, { signal }));
  }

  async canUse(command: string, decisionReason?: string) {
    const options = {
      signal: new AbortController().signal,
      toolUseID: "t1",
      requestId: "r1",
      ...(decisionReason !== undefined && { decisionReason }),
    };
    return this.guard.canUseTool("Bash", { command }, options);
  }

  /** Resolves when a person is asked. */
  async asked(): Promise<void> {
    while (!this.said.some(({ type }) => type === "turnwire/ask")) await setImmediate();
  }

  /** Answers the first request as soon as there is one. */
  async answer(answer: (id: string) => RequestAnswer): Promise<void> {
    for (;;) {
      for (const message of this.said) {
        if (message.type !== "turnwire/ask" && message.type !== "turnwire/hook_ask") continue;
        this.requests.answer(answer(message.request_id));
        return;
      }
      await setImmediate();
    }
  }

  verdicts(): string[] {
    return this.said.flatMap((message) =>
      message.type === "turnwire/policy_decision" ? [message.decision.verdict] : [],
    );
  }
}

function toolDecision(output: HookJSONOutput) {
  const said = "hookSpecificOutput" in output ? output.hookSpecificOutput : undefined;
  return said?.hookEventName === "PreToolUse" ? said : output;
}

function permission(more: object): (id: string) => RequestAnswer {
  return (id) => ({
    type: "permission_response",
    correlation_id: id,
    behavior: "allow",
    ...more,
  });
}

function hookAnswer(permissionDecision: string, updatedInput?: JsonObject) {
  return (id: string): RequestAnswer => ({
    type: "hook_response",
    correlation_id: id,
    decision: {
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision,
        ...(updatedInput && { updatedInput }),
      },
    },
  });
}

const refusal = { permissionDecision: "deny" };

describe("what cannot be decided is refused", () => {
  test("when the policy throws, and the reason is recorded", async () => {
    const guarded = new Guarded({
      judge: () => {
        throw new Error("the disk is gone");
      },
    });
    const text = "the policy could not be evaluated: the disk is gone";
    expect(await guarded.use("allow")).toMatchObject({
      ...refusal,
      permissionDecisionReason: expect.stringContaining(text),
    });
    expect(await guarded.canUse("allow")).toMatchObject({ behavior: "deny" });
    expect(guarded.said[0]).toMatchObject({ decision: { verdict: "deny", reason: text } });
  });

  test.each(["allow", "ask", "deny"])("when it cannot be recorded: %s", async (verdict) => {
    const guarded = new Guarded({
      emit: () => {
        throw new Error("full");
      },
    });
    expect(await guarded.use(verdict)).toMatchObject(refusal);
    expect(await guarded.canUse(verdict)).toMatchObject({ behavior: "deny" });
  });

  test("when the session has ended", async () => {
    const guarded = new Guarded();
    guarded.requests.withdrawAll();
    expect(await guarded.use("allow")).toMatchObject(refusal);
    expect(await guarded.use("ask")).toMatchObject(refusal);
  });

  test("when a person's hook answers what cannot be read", async () => {
    const guarded = new Guarded({ isHooked: true });
    const output = guarded.use("allow");
    const decision = { hookSpecificOutput: { updatedInput: "text" } };
    await guarded.answer((id) => ({ type: "hook_response", correlation_id: id, decision }));
    expect(await output).toMatchObject(refusal);
  });
});

describe("the hook", () => {
  test("leaves everything to the CLI where the session has no policy", async () => {
    const guarded = new Guarded({ judge: () => undefined });
    expect(await guarded.use("deny")).toEqual({});
    expect(guarded.said).toEqual([]);
  });

  test("answers with the verdict, and records each", async () => {
    const guarded = new Guarded();
    expect(await guarded.use("allow")).toMatchObject({ permissionDecision: "allow" });
    expect(await guarded.use("deny")).toMatchObject({
      ...refusal,
      permissionDecisionReason:
        "Refused by the policy (mode named, rule by-name): it is called so.",
    });
    expect(guarded.verdicts()).toEqual(["allow", "deny"]);
  });

  test("leaves what is allowed to plan mode, and refuses there as well", async () => {
    const guarded = new Guarded();
    expect(await guarded.use("allow", { permission_mode: "plan" })).toEqual({});
    expect(await guarded.use("deny", { permission_mode: "plan" })).toMatchObject(refusal);
  });

  test("does not judge the tools that we serve, but those of a server that has our name", async () => {
    const guarded = new Guarded();
    const tool_name = "mcp__turnwire__render_component";
    const own = { tool_name, mcp_server: { name: "turnwire", source: "sdk" } };
    const other = { tool_name, mcp_server: { name: "turnwire", source: "project" } };
    expect(await guarded.use("deny", own)).toEqual({});
    expect(await guarded.use("deny", other)).toMatchObject(refusal);
  });

  test("leaves questions to the CLI, which asks by itself, but may refuse them", async () => {
    const guarded = new Guarded();
    const tool_name = "AskUserQuestion";
    expect(await guarded.use("ask", { tool_name })).toEqual({});
    expect(await guarded.use("deny", { tool_name })).toMatchObject(refusal);
  });

  test("passes the directory in which the agent is", async () => {
    const seen: unknown[] = [];
    const guarded = new Guarded({
      judge: (call) => {
        seen.push(call.cwd);
        return byName(call);
      },
    });
    await guarded.use("allow", { cwd: "/p/sub" });
    await guarded.use("allow", { cwd: "/p/agent", agent_id: "a1" });
    await guarded.canUse("deny");
    expect(seen).toEqual(["/p/sub", "/p/agent", "/p/sub"]);
  });
});

describe("a person whom the policy asks", () => {
  test("may allow it, also with another input that is not refused", async () => {
    const guarded = new Guarded();
    const output = guarded.use("ask first");
    await guarded.answer(permission({ updated_input: { command: "ask second" } }));
    expect(await output).toMatchObject({
      permissionDecision: "allow",
      updatedInput: { command: "ask second" },
    });
    expect(guarded.said[1]).toMatchObject({ policy: { rule: "by-name", mode: "named" } });
  });

  test("may not allow what the policy refuses by now", async () => {
    let verdict: Verdict = "ask";
    const guarded = new Guarded({
      judge: (call) => ({ ...byName(call), verdict }),
    });
    const output = guarded.use("ask x");
    await guarded.asked();
    verdict = "deny";
    await guarded.answer(permission({}));
    expect(await output).toMatchObject(refusal);
    expect(guarded.verdicts()).toEqual(["ask", "deny"]);
  });

  test("may not change the input to one that is refused", async () => {
    const guarded = new Guarded();
    const output = guarded.use("ask");
    await guarded.answer(permission({ updated_input: { command: "deny" } }));
    expect(await output).toMatchObject(refusal);
    const asked = guarded.canUse("ask");
    guarded.said.splice(0, 3);
    await guarded.answer(permission({ updated_input: { command: "deny" } }));
    expect(await asked).toMatchObject({ behavior: "deny" });
  });

  test("is followed when they refuse, and the turn has to be stopped by us where they want that", async () => {
    const guarded = new Guarded();
    const output = guarded.use("ask");
    await guarded.answer(permission({ behavior: "deny", message: "not now" }));
    expect(await output).toMatchObject({ ...refusal, permissionDecisionReason: "not now" });
    guarded.said.splice(0);
    const again = guarded.use("ask");
    await guarded.asked();
    const stopped = guarded.requests.answer({
      type: "permission_response",
      correlation_id: "t2",
      behavior: "deny",
      interrupt: true,
    });
    expect([stopped, await again]).toMatchObject([true, refusal]);
  });
});

describe("beside hooks of settings files", () => {
  test("what was decided is looked at again, and passes as it was", async () => {
    const guarded = new Guarded({ hasOtherHooks: true });
    const output = await guarded.use("allow x");
    expect(output).toMatchObject({ permissionDecision: "ask" });
    const seal = "permissionDecisionReason" in output ? output.permissionDecisionReason : undefined;
    expect(await guarded.canUse("allow x", seal)).toMatchObject({ behavior: "allow" });
    expect(await guarded.canUse("allow y", seal)).toMatchObject({ behavior: "allow" });
    expect(await guarded.canUse("deny x", seal)).toMatchObject({ behavior: "deny" });
    const asked = guarded.canUse("ask x", seal);
    await guarded.answer(permission({ behavior: "deny", message: "not now" }));
    expect(await asked).toMatchObject({ behavior: "deny", message: "not now" });
  });

  test("what a person allowed is not asked again, but is where it was changed", async () => {
    const guarded = new Guarded({ hasOtherHooks: true });
    const output = guarded.use("ask x");
    await guarded.answer(permission({}));
    const said = await output;
    const seal = "permissionDecisionReason" in said ? said.permissionDecisionReason : undefined;
    expect(await guarded.canUse("ask x", seal)).toMatchObject({ behavior: "allow" });
    guarded.said.splice(0);
    const asked = guarded.canUse("ask y", seal);
    await guarded.answer(permission({ behavior: "deny" }));
    expect(await asked).toMatchObject({ behavior: "deny" });
  });

  test("what one of them asks is asked, although the policy allows it", async () => {
    const guarded = new Guarded({ hasOtherHooks: true });
    const asked = guarded.canUse("allow", "a hook wants to know");
    await guarded.answer(permission({ behavior: "deny" }));
    expect(await asked).toMatchObject({ behavior: "deny" });
  });
});

describe("where commands run contained", () => {
  const contained: Judge = (call) => {
    const decision = byName(call);
    return decision && { ...decision, containment: "without_network" };
  };
  const command = (result: unknown) => z.looseObject({ updatedInput: Input }).parse(result);

  test("an allowed one is run so, one that a person allowed is not", async () => {
    const guarded = new Guarded({ judge: contained, isContained: true });
    const { updatedInput } = command(await guarded.use("allow x"));
    expect(updatedInput.command).toMatch(/bwrap .*'allow x'/s);
    const asked = guarded.use("ask x");
    await guarded.asked();
    await guarded.answer(permission({}));
    expect(command(await asked).updatedInput).toEqual({ command: "ask x" });
  });

  test("a hook that changed an allowed command does not free it", async () => {
    const guarded = new Guarded({ judge: contained, isContained: true, hasOtherHooks: true });
    const output = await guarded.use("allow x");
    const seal = "permissionDecisionReason" in output ? output.permissionDecisionReason : undefined;
    const held = command(output).updatedInput.command;
    expect(await guarded.canUse(held, seal)).toEqual({
      behavior: "allow",
      updatedInput: { command: held },
    });
    const { updatedInput } = command(await guarded.canUse("allow y", seal));
    expect(updatedInput.command).toMatch(/bwrap .*'allow y'/s);
  });

  test("one that is too long for that is refused", async () => {
    const guarded = new Guarded({ judge: contained, isContained: true });
    expect(await guarded.use(`allow ${"x".repeat(200_000)}`)).toMatchObject(refusal);
  });

  test("in plan mode the CLI decides about a command as the model wrote it", async () => {
    const seen: (boolean | undefined)[] = [];
    const judge: Judge = (call) => {
      seen.push(call.isContained);
      return byName(call);
    };
    const guarded = new Guarded({ judge, isContained: true });
    await guarded.use("allow x", { permission_mode: "plan" });
    await guarded.use("allow x");
    expect(seen).toEqual([false, true]);
  });
});

describe("a person's own hook", () => {
  test("is not asked about what the policy refuses", async () => {
    const guarded = new Guarded({ isHooked: true });
    expect(await guarded.use("deny")).toMatchObject(refusal);
    expect(guarded.said.map(({ type }) => type)).toEqual(["turnwire/policy_decision"]);
  });

  test.each([
    ["allow", { command: "deny" }, { permissionDecision: "deny" }],
    [
      "allow",
      { command: "allow y" },
      { permissionDecision: "allow", updatedInput: { command: "allow y" } },
    ],
    ["deny", undefined, { permissionDecision: "deny" }],
    ["ask", undefined, { permissionDecision: "ask" }],
  ])(
    "that says %s with %j gives %j where the policy allows",
    async (decision, updated, expected) => {
      const guarded = new Guarded({ isHooked: true });
      const output = guarded.use("allow x");
      await guarded.answer(hookAnswer(decision, updated));
      expect(await output).toMatchObject(expected);
    },
  );

  test("does not answer for the person whom the policy asks", async () => {
    const guarded = new Guarded({ isHooked: true });
    const output = guarded.use("ask");
    await guarded.answer(hookAnswer("allow"));
    guarded.said.splice(0);
    await guarded.answer(permission({ behavior: "deny" }));
    expect(await output).toMatchObject(refusal);
  });
});
