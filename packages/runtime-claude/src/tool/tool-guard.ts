import type {
  CanUseTool,
  HookCallback,
  HookJSONOutput,
  PermissionResult,
} from "@anthropic-ai/claude-agent-sdk";
import { JsonObject } from "@turnwire/protocol";
import { createHash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import {
  type GatedCall,
  type PolicyDecision,
  requestPolicy,
  type ToolGate,
} from "@turnwire/runtime";
import type { Hold, SessionContainment } from "@turnwire/runtime/containment";
import { isRefusal, isUndecided, refuse, toolDecision, toolHookOutputFrom } from "./hook-output.ts";
import type { PendingRequests } from "./pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { toolServerName } from "../setting/tool-server-name.ts";

export interface ToolGuardOptions {
  readonly requests: PendingRequests;
  readonly emit: (message: RunMessage) => void;
  /** Whether a person decides about what the policy does not refuse. */
  readonly isHooked: boolean;
}

export interface GuardedSession {
  readonly gate: ToolGate | undefined;
  /** Whether hooks of settings files run beside ours: they may change what a tool is given. */
  readonly hasOtherHooks: boolean;
  /** Holds commands to the policy mode; absent where that cannot be had. */
  readonly containment?: SessionContainment | undefined;
}

/** A use of a tool that is about to happen. */
interface Call extends GatedCall {
  readonly input: JsonObject;
  readonly toolUseId: string;
  /** The sub-agent that makes it. */
  readonly agentId: string | undefined;
  /** Whether it is one of the tools that we serve: they only show something, or ask. */
  readonly isOwn: boolean;
  /** Holds the command if the policy allows it. */
  readonly hold: Hold | undefined;
}

/** They ask a person by themselves, in every permission mode. */
const askingTools = new Set(["AskUserQuestion", "ExitPlanMode"]);

/**
 * Asks the session's policy about every use of a tool, in a PreToolUse hook: the CLI calls it in every
 * permission mode, for sub-agents and MCP tools too, and runs no tool whose hook fails or times out (seen
 * with 2.1.325). A person whom the policy asks is asked within the hook, because afterwards a
 * PermissionRequest hook of a settings file could answer instead.
 */
export class ToolGuard {
  readonly #requests: PendingRequests;
  readonly #emit: (message: RunMessage) => void;
  readonly #isHooked: boolean;
  #session: GuardedSession = { gate: undefined, hasOtherHooks: false };
  /** Where each agent works: its shell keeps the directory from one command to the next. */
  readonly #directories = new Map<string | undefined, string>();
  /** What was last recorded of each agent. */
  readonly #recorded = new Map<string | undefined, PolicyDecision>();
  readonly #sealKey = randomUUID();

  constructor({ requests, emit, isHooked }: ToolGuardOptions) {
    this.#requests = requests;
    this.#emit = emit;
    this.#isHooked = isHooked;
  }

  /** Names the session, which is not known yet where a process is started ahead. */
  guard(session: GuardedSession): void {
    this.#session = session;
  }

  readonly preToolUse: HookCallback = async (source, toolUseId, options) => {
    if (source.hook_event_name !== "PreToolUse") return {};
    this.#directories.set(source.agent_id, source.cwd);
    const call: Call = {
      tool: source.tool_name,
      input: JsonObject.parse(source.tool_input),
      toolUseId: source.tool_use_id,
      agentId: source.agent_id,
      cwd: source.cwd,
      isOwn: isOwnServer(source.mcp_server),
      // In plan mode the CLI decides about a command as the model wrote it.
      hold: source.permission_mode === "plan" ? undefined : await this.#holdFor(source.tool_name),
    };
    const decision = await this.#decide(call);
    if (decision?.verdict === "deny") return refuse(refusalText(decision));
    const output = this.#isHooked ? await this.#requests.hook(source, toolUseId, options) : {};
    const hooked = toolHookOutputFrom(output);
    if (!hooked) return decision ? refuse("The answer of a hook cannot be read.") : output;
    if (isRefusal(hooked)) return output;
    const { updatedInput } = hooked.hookSpecificOutput ?? {};
    // The hook may have taken a while, and may have changed the input.
    const next = updatedInput ? { ...call, input: updatedInput } : call;
    const latest = this.#isHooked ? await this.#decide(next) : decision;
    if (latest?.verdict === "deny") return refuse(refusalText(latest));
    if (!latest || askingTools.has(call.tool)) return output;
    if (latest.verdict === "ask") return this.#ask(next, latest, options.signal);
    // Plan mode is stricter in kind: what the policy allows is still up to it.
    if (isUndecided(hooked) || source.permission_mode === "plan") return output;
    const held = this.#held(next, latest);
    return held ? this.#pass(held, call.input) : refuse(unheldText);
  };

  /** What still comes here is asked by the CLI itself, or was let through by the hook and is looked at again. */
  readonly canUseTool: CanUseTool = async (tool, source, options) => {
    const input = JsonObject.parse(source);
    const cwd = this.#directories.get(options.agentID);
    const call: Call = {
      tool,
      input,
      toolUseId: options.toolUseID,
      agentId: options.agentID,
      ...(cwd !== undefined && { cwd }),
      isOwn: isOwnServer(options.mcpServer),
      hold: this.#isSealed(options.decisionReason) ? await this.#holdFor(tool) : undefined,
    };
    if (options.decisionReason === this.#seal(input)) {
      return { behavior: "allow", updatedInput: input };
    }
    const decision = await this.#decide(call);
    if (decision?.verdict === "deny") return denied(decision);
    if (decision?.verdict === "allow" && this.#isSealed(options.decisionReason)) {
      const held = this.#held(call, decision);
      return held
        ? { behavior: "allow", updatedInput: held }
        : { behavior: "deny", message: unheldText };
    }
    const policy = decision?.verdict === "ask" ? { policy: requestPolicy(decision) } : {};
    const result = await this.#requests.askPermission(tool, input, { ...options, ...policy });
    return this.#confirm(call, result);
  };

  /** Looks up how to hold a command to the policy mode; undefined where nothing can, or needs to. */
  async #holdFor(tool: string): Promise<Hold | undefined> {
    const { gate, containment } = this.#session;
    const need = tool === "Bash" ? gate?.confinement : undefined;
    return need && containment?.prepare(need);
  }

  /** The input with which an allowed call is made: a command contained where the policy relies on that. Undefined where it cannot be. */
  #held(
    { input, toolUseId, cwd = "/", hold }: Call,
    { containment }: PolicyDecision,
  ): JsonObject | undefined {
    if (containment === undefined || containment === "none") return input;
    const { command } = BashInput.parse(input);
    const held = hold?.contain({ command, cwd, network: containment === "with_network" });
    if (held === undefined) return undefined;
    this.#requests.runsInsteadOf(toolUseId, input);
    return { ...input, command: held };
  }

  /** Asks a person whom the policy wants to be asked. */
  async #ask(call: Call, decision: PolicyDecision, signal: AbortSignal): Promise<HookJSONOutput> {
    const { tool, input, toolUseId: toolUseID, agentId: agentID } = call;
    const policy = requestPolicy(decision);
    const details = { toolUseID, agentID, signal, policy, isHook: true };
    const answer = await this.#requests.askPermission(tool, input, details);
    const result = await this.#confirm(call, answer);
    if (result.behavior === "deny") return refuse(result.message);
    return this.#pass(JsonObject.parse(result.updatedInput ?? input), input);
  }

  /** A person may have changed the input, and the policy may have changed since they were asked. */
  async #confirm(call: Call, result: PermissionResult): Promise<PermissionResult> {
    if (result.behavior === "deny") return result;
    const input = JsonObject.parse(result.updatedInput ?? call.input);
    const decision = await this.#decide({ ...call, input });
    return decision?.verdict === "deny" ? denied(decision) : result;
  }

  /** Other hooks that run at the same time may change the input: then it comes back to `canUseTool`. */
  #pass(input: JsonObject, asked: JsonObject): HookJSONOutput {
    const decision = this.#session.hasOtherHooks
      ? ({ permissionDecision: "ask", permissionDecisionReason: this.#seal(input) } as const)
      : ({
          permissionDecision: "allow",
          permissionDecisionReason: "The policy allows it.",
        } as const);
    return toolDecision({ ...decision, ...(input !== asked && { updatedInput: input }) });
  }

  /** What the policy says now, recorded; undefined where the session has none. Whatever fails is a refusal. */
  async #decide(call: Call): Promise<PolicyDecision | undefined> {
    if (call.isOwn) return undefined;
    const decision = await this.#judge(call);
    if (!decision || isDeepStrictEqual(decision, this.#recorded.get(call.agentId))) return decision;
    if (this.#requests.isWithdrawn) return { ...decision, ...failure("the session was closed") };
    try {
      const { agentId } = call;
      this.#emit({
        type: "turnwire/policy_decision",
        decision,
        ...(agentId !== undefined && { agent_id: agentId }),
      });
      this.#recorded.set(agentId, decision);
      return decision;
    } catch (error) {
      return { ...decision, ...failure("the decision could not be recorded", error) };
    }
  }

  async #judge({ tool, input, toolUseId, cwd, hold }: Call): Promise<PolicyDecision | undefined> {
    try {
      return await this.#session.gate?.judge({
        tool,
        input,
        toolUseId,
        ...(cwd !== undefined && { cwd }),
        isContained: hold !== undefined,
      });
    } catch (error) {
      const unknown = { mode: "unknown", policy_version: "unknown" };
      const failed = failure("the policy could not be evaluated", error);
      return { tool_use_id: toolUseId, tool, ...unknown, ...failed };
    }
  }

  /** Marks an input as decided. The CLI passes it on beside the input that it is about to use. */
  #seal(input: JsonObject): string {
    const digest = createHash("sha256").update(JSON.stringify(input)).digest("hex");
    return `${this.#sealKey} ${digest}`;
  }

  #isSealed(reason: string | undefined): boolean {
    return reason?.startsWith(this.#sealKey) === true;
  }
}

const BashInput = z.looseObject({ command: z.string() });

const unheldText =
  "The command cannot run where the kernel holds it to the policy mode: try a shorter one.";

function failure(what: string, error?: unknown) {
  const why = error instanceof Error ? `: ${error.message}` : "";
  return { verdict: "deny", rule: "policy-failure", reason: `${what}${why}` } as const;
}

function isOwnServer(server: { readonly name: string; readonly source: string } | undefined) {
  return server?.name === toolServerName && server.source === "sdk";
}

function refusalText({ mode, rule, reason }: PolicyDecision): string {
  return `Refused by the policy (mode ${mode}, rule ${rule}): ${reason}.`;
}

function denied(decision: PolicyDecision): PermissionResult {
  return { behavior: "deny", message: refusalText(decision) };
}
