import type {
  AgentAccount,
  Capabilities,
  JsonObject,
  JsonValue,
  PlanStep,
  Usage,
} from "@turnwire/protocol";
import type { StepOf } from "@turnwire/runtime";
export {
  andThen,
  forEach,
  withEntry,
  withMember,
  withoutEntry,
  withoutMember,
} from "@turnwire/runtime";
import type { Tokens } from "./message.ts";

/** The block that is being streamed: what of it was delivered so far. */
export interface PartialBlock {
  readonly kind: "text" | "thinking" | "tool_use";
  readonly text: string;
  /** The tool use that the block is. */
  readonly tool?: { readonly id: string; readonly name: string };
  readonly isOver: boolean;
}

/** A message that is not complete yet. */
export interface OpenMessage {
  readonly id: string;
  readonly model: string | undefined;
  readonly stopReason: string | undefined;
  readonly blocks: readonly JsonObject[];
  readonly partial: PartialBlock | undefined;
}

/** A tool that has no result yet. */
export interface OpenTool {
  readonly name: string;
  /** The sub-agent that uses it. */
  readonly speaker: string | undefined;
  readonly facts: { readonly file_path?: string; readonly is_file_read?: boolean };
  readonly isSpawn: boolean;
  readonly startedAt: number | undefined;
  /** A person was asked first: the time until the result says nothing about the tool. */
  readonly wasAsked: boolean;
  /** What the sub-agent that it spawned has reported. */
  readonly report?: string;
}

/** Something that runs beside the conversation: a sub-agent, a command. */
export interface RunningTask {
  readonly turnId: string | undefined;
  readonly toolUseId: string | undefined;
}

export interface OpenRequest {
  readonly type: "permission" | "question" | "hook" | "interrupt" | "tool_call";
  readonly toolName: string;
  readonly speaker: string | undefined;
}

/** How far a turn has come. One turn of ours may be several of the CLI's. */
export interface RunningTurn {
  readonly id: string;
  readonly usage: Usage;
  /** What its calls of the model have used so far; the CLI's results come later. */
  readonly streamedTokens: number;
  readonly costUsd: number;
  readonly durationMs: number;
  /** What the newest of the CLI's results said. */
  readonly verdict: TurnVerdict | undefined;
  /** A person wants it to stop, and no result has come since. */
  readonly isStopping: boolean;
}

export interface TurnVerdict {
  readonly subtype: string;
  readonly isError: boolean;
  readonly isStopped: boolean;
  readonly text: string | undefined;
  readonly structuredOutput?: JsonValue | undefined;
}

/** What was reported about the session itself. */
export interface Facts {
  readonly providerSessionId?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly capabilities?: Capabilities;
  readonly account?: AgentAccount;
  readonly mcp: ReadonlyMap<string, string>;
}

/** What has begun and not ended, and what was reported last. */
export interface ClaudeState {
  readonly turn: RunningTurn | undefined;
  /** User messages that were sent and are not dealt with. */
  readonly pending: ReadonlySet<string>;
  /** The CLI reports what becomes of each input; without that, a result settles all that was sent. */
  readonly reportsInput: boolean;
  /** The CLI reports when it is idle; without that, a result has to do. */
  readonly tellsIdle: boolean;
  /** By speaker: the sub-agent's id, or undefined for the main agent. */
  readonly messages: ReadonlyMap<string | undefined, OpenMessage>;
  /** Messages of this turn that are complete. */
  readonly completed: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, OpenTool>;
  /** Tools of this turn that were announced. */
  readonly started: ReadonlySet<string>;
  /** Spawns of this turn whose sub-agents work in the background. */
  readonly background: ReadonlySet<string>;
  /** Sub-agents by their tool use. */
  readonly spawned: ReadonlySet<string>;
  /** The tool use that spawned a sub-agent, by the CLI's id of it. */
  readonly agents: ReadonlyMap<string, string>;
  readonly tasks: ReadonlyMap<string, RunningTask>;
  readonly asks: ReadonlyMap<string, OpenRequest>;
  readonly plan: ReadonlyMap<string, PlanStep>;
  readonly facts: Facts;
  /** The tokens of the main agent's newest message. */
  readonly context: Tokens;
  readonly contextWindow: number | undefined;
  /** What the session has cost so far, as the CLI counts: also over earlier processes. */
  readonly totalCostUsd: number;
}

export const initialState: ClaudeState = {
  turn: undefined,
  pending: new Set(),
  reportsInput: false,
  tellsIdle: false,
  messages: new Map(),
  completed: new Set(),
  tools: new Map(),
  started: new Set(),
  background: new Set(),
  spawned: new Set(),
  agents: new Map(),
  tasks: new Map(),
  asks: new Map(),
  plan: new Map(),
  facts: { mcp: new Map() },
  context: {},
  contextWindow: undefined,
  totalCostUsd: 0,
};

export type Step = StepOf<ClaudeState>;

/** Where an event belongs: under its sub-agent, or nowhere special. */
export function placeOf(speaker: string | undefined): { subagent_id?: string } {
  return speaker === undefined ? {} : { subagent_id: speaker };
}
