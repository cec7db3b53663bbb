import type { RateLimit, Usage } from "@turnwire/protocol";
import type { StepOf } from "@turnwire/runtime";
import type { FileChange } from "../protocol/item.ts";
import type { CodexMessage, Tokens } from "../protocol/message.ts";

/** Where an item is: Codex passes ids through from the model, and only turns are surely apart. */
export interface ItemPlace {
  readonly threadId: string;
  readonly turnId: string;
}

/** A message or a thought that is not complete yet. */
export interface OpenSpeech {
  readonly id: string;
  readonly kind: "message" | "thinking";
  readonly itemPlace: ItemPlace;
  /** What was delivered so far. */
  readonly text: string;
  /** Thoughts come in full and as a summary: the one that came first is shown. */
  readonly source?: "summary" | "full";
}

/** A tool that has no result yet. */
export interface OpenTool {
  readonly itemPlace: ItemPlace;
  readonly name: string;
  readonly facts: { readonly file_path?: string; readonly is_file_read?: boolean };
  /** The command that it runs, by the id that Codex can stop it with. */
  readonly process?: { readonly id: string; readonly command: string };
  readonly changes?: readonly FileChange[];
  /** Output that was delivered so far. */
  readonly streamed: string;
  readonly isSpawn: boolean;
  /** It is known as a task since its turn has ended. */
  readonly isTask: boolean;
}

/** A thread that a tool of another one spawned. */
export interface Subagent {
  /** The tool use that spawned it. */
  readonly id: string;
  /** Our turn that it belongs to. */
  readonly turnId: string | undefined;
}

export interface OpenRequest {
  readonly nativeId: string | number | undefined;
  readonly type: "permission" | "question" | "tool_call" | "interrupt";
  readonly toolName: string;
  readonly itemPlace: ItemPlace | undefined;
}

export interface RunningTurn {
  readonly id: string;
  /** Codex's id of it, once it has begun. */
  readonly nativeId: string | undefined;
  readonly diff: string;
  readonly isErrorReported: boolean;
  /** Its answer is JSON in the form of the session's schema. */
  readonly hasSchema: boolean;
}

/** What a thread has used. */
export interface ThreadUsage {
  readonly total: Tokens;
  /** The total before the running turn. */
  readonly before: Tokens;
}

/** What has begun and not ended, and what was reported last. */
export interface CodexState {
  readonly threadId: string | undefined;
  readonly model: string | undefined;
  readonly isThreadReported: boolean;
  readonly turn: RunningTurn | undefined;
  /** A turn of Codex that was not sent, as long as it may be a compaction. */
  readonly unasked: string | undefined;
  /** Our turns by Codex's ids of them: background commands speak of turns that are over. */
  readonly turnIds: ReadonlyMap<string, string>;
  readonly subagents: ReadonlyMap<string, Subagent>;
  /** What threads have said that no spawn has named yet. */
  readonly early: ReadonlyMap<string, readonly CodexMessage[]>;
  readonly speeches: ReadonlyMap<string, OpenSpeech>;
  readonly tools: ReadonlyMap<string, OpenTool>;
  /** Tools of this turn that were announced. */
  readonly started: ReadonlySet<string>;
  /** Tools that were stopped with their turn: their last output may still come. */
  readonly stopped: ReadonlyMap<string, OpenTool>;
  /** Why the policy refused a tool use that has no result yet. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly openRequests: ReadonlyMap<string, OpenRequest>;
  readonly usage: ReadonlyMap<string, ThreadUsage>;
  /** The limits of the account, by their ids. */
  readonly rateLimits: ReadonlyMap<string, RateLimit>;
  readonly context: Usage;
  /** How full the context was when its compaction began. */
  readonly contextBefore: number | undefined;
}

export const initialState: CodexState = {
  threadId: undefined,
  model: undefined,
  isThreadReported: false,
  turn: undefined,
  unasked: undefined,
  turnIds: new Map(),
  subagents: new Map(),
  early: new Map(),
  speeches: new Map(),
  tools: new Map(),
  started: new Set(),
  stopped: new Map(),
  refusals: new Map(),
  openRequests: new Map(),
  usage: new Map(),
  rateLimits: new Map(),
  context: {},
  contextBefore: undefined,
};

export type Step = StepOf<CodexState>;

export function isRoot(state: CodexState, threadId: string): boolean {
  return state.threadId === undefined || state.threadId === threadId;
}

/** Where an event belongs: its turn, unless that one runs, and its sub-agent. */
export function placeOf(
  state: CodexState,
  { threadId, turnId }: ItemPlace,
): { turn_id?: string; subagent_id?: string } {
  const subagent = state.subagents.get(threadId);
  const ours = subagent ? subagent.turnId : state.turnIds.get(turnId);
  return {
    ...(ours !== undefined && ours !== state.turn?.id && { turn_id: ours }),
    ...(subagent && { subagent_id: subagent.id }),
  };
}
