import * as z from "zod";
import {
  decisionOn,
  strictest,
  type GatedCall,
  type PolicyDecision,
  type ToolGate,
} from "@turnwire/runtime";
import { type CodexMessage, codexMessageFrom, type CodexMessageOf } from "../protocol/message.ts";
import { mcpToolName, patchTool, shellTool } from "../normalize/tool-use.ts";
import type { ThreadMessage } from "../protocol/thread-router.ts";
import { callFromCommand, callFromHost, callFromWrite, callsFromChanges } from "./gated-call.ts";
import { OpenItems } from "./open-item.ts";

/** What the policy says about a request of Codex. */
export interface Ruling {
  readonly decision: PolicyDecision;
  readonly threadId: string;
  readonly turnId: string;
}

/** A request as calls that a policy can judge. */
interface GatedUse {
  /** The tool's name in this session. */
  readonly tool: string;
  readonly toolUseId: string | undefined;
  /** All that it does: the strictest verdict counts. */
  readonly calls: readonly GatedCall[];
}

type CommandApproval = CodexMessageOf<"item/commandExecution/requestApproval">["params"];

const permissionTool = "request_permissions";

const ToolApproval = z.looseObject({ codex_approval_kind: z.literal("mcp_tool_call") });

/** Asks the session's policy about what Codex asks us. */
export class RequestGate {
  readonly #gate: ToolGate;
  readonly #cwd: string;
  readonly #items = new OpenItems();

  constructor(gate: ToolGate, cwd: string) {
    this.#gate = gate;
    this.#cwd = cwd;
  }

  /** Sees every message before it is judged. */
  observe(message: ThreadMessage): void {
    this.#items.observe(message);
  }

  /** The process is gone, and all that had begun in it. */
  forgetAll(): void {
    this.#items.clear();
  }

  /** Undefined where there is no policy mode, or the request uses no tool: then no one has to wait. */
  rule(message: ThreadMessage): Promise<Ruling | undefined> | undefined {
    if (this.#gate.sandbox === undefined) return undefined;
    const request = codexMessageFrom(message);
    const use = request && this.#useOf(request);
    return use && this.#ruleOn(use, Place.parse(request.params));
  }

  async #ruleOn(
    { tool, toolUseId, calls }: GatedUse,
    { threadId = "", turnId }: Place,
  ): Promise<Ruling | undefined> {
    const decisions = calls.map((call) =>
      decisionOn(this.#gate, { ...call, ...(toolUseId !== undefined && { toolUseId }) }),
    );
    const decision = strictest(await Promise.all(decisions));
    return decision && { decision: { ...decision, tool }, threadId, turnId: turnId ?? "" };
  }

  #useOf(request: CodexMessage): GatedUse | undefined {
    switch (request.method) {
      case "item/commandExecution/requestApproval":
        return {
          tool: shellTool,
          toolUseId: request.params.itemId,
          calls: this.#commandCalls(request.params),
        };
      case "item/fileChange/requestApproval": {
        const { itemId, grantRoot } = request.params;
        const root = grantRoot ? [callFromWrite(grantRoot)] : [];
        const calls = [...callsFromChanges(this.#items.changesOf(itemId)), ...root];
        return { tool: patchTool, toolUseId: itemId, calls };
      }
      case "item/permissions/requestApproval": {
        const { permissions: input } = request.params;
        const calls = [{ tool: permissionTool, input }];
        return { tool: permissionTool, toolUseId: undefined, calls };
      }
      case "mcpServer/elicitation/request":
        return ToolApproval.safeParse(request.params._meta).success
          ? this.#toolUseOf(request.params)
          : undefined;
      case "item/tool/call": {
        const { callId, namespace, tool: name, arguments: input } = request.params;
        const tool = namespace ? `${namespace}.${name}` : name;
        return { tool, toolUseId: callId, calls: [{ tool, input }] };
      }
      default:
        return undefined;
    }
  }

  /** What is asked about may be the command, the host it connects to, or what it may do beyond the sandbox. */
  #commandCalls({
    kind,
    command,
    cwd,
    networkApprovalContext: network,
    additionalPermissions: input,
  }: CommandApproval): GatedCall[] {
    return [
      (kind ?? "command") === "command" && command
        ? callFromCommand({ command, cwd }, this.#cwd)
        : { tool: "Bash", input: {} },
      ...(network ? [callFromHost(network.host)] : []),
      ...(input ? [{ tool: permissionTool, input }] : []),
    ];
  }

  #toolUseOf({ threadId, serverName }: { threadId: string; serverName: string }): GatedUse {
    const open = this.#items.toolCallsOf(threadId, serverName);
    const calls = open.map(({ tool, arguments: input }) => ({
      tool: mcpToolName(serverName, tool),
      input: input ?? {},
    }));
    const tool = calls.at(-1)?.tool ?? `mcp__${serverName}`;
    const toolUseId = open.at(-1)?.id;
    return { tool, toolUseId, calls: calls.length > 0 ? calls : [{ tool, input: {} }] };
  }
}

type Place = z.infer<typeof Place>;
const Place = z.looseObject({ threadId: z.string().optional(), turnId: z.string().nullish() });
