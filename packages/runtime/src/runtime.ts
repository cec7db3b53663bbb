import type {
  AgentRequestKind,
  AnswerTo,
  Capabilities,
  CommandOf,
  ContentBlock,
  EventData,
  EventDraft,
  JsonObject,
  JsonValue,
  McpServer,
  PastSession,
  ReviewTarget,
  RuntimeConnection,
  SandboxWish,
  SessionEvent,
  SystemPrompt,
} from "@turnwire/protocol";
import type { ConfigurationSources } from "./configuration/rule.ts";
import type { DialInPort } from "./dial-in-port.ts";
import type { Normalizer } from "./normalizer.ts";
import type { PastMessage } from "./past-conversation.ts";
import type { GatedCall, ToolGate } from "./tool-gate.ts";
import type { TranscriptPort } from "./transcript-port.ts";
import type { UiPort } from "./ui-port.ts";

/** Whether a runtime can be used on this machine, and what to do when it cannot. */
export interface RuntimeCheck {
  readonly isAvailable: boolean;
  /** For people, with the next step: what `turnwire doctor` prints. */
  readonly problem?: string;
  /** How it reaches its agent; without it, `isAvailable` alone decides between connected and not connected. */
  readonly connection?: RuntimeConnection;
  /** Versions and places that help with a report. */
  readonly details?: Readonly<Record<string, string>>;
}

/** A kind of agent. It holds no session: runs do. */
export interface Runtime<Native = unknown, State = unknown> {
  readonly name: string;
  readonly label: string;
  /** What it is for, in a sentence for people, where another runtime is the usual way to the same agent. */
  readonly specialPurpose?: string;
  /** What a run offers before it has reported more itself; more of it is known after a probe. */
  readonly capabilities: Capabilities;
  readonly normalizer: Normalizer<Native, State>;
  check(): Promise<RuntimeCheck>;
  /** Asks the agent for its models and commands, so that `capabilities` has them before the first session; may start a process. */
  probe?(signal: AbortSignal): Promise<void>;
  /** Throws a RuntimeError (`invalid_input`), or rejects with one, where a session with these could never run. */
  checkSession?(
    session: RunConfiguration & Pick<RunOptions, "cwd" | "permissionMode" | "gate">,
  ): void | Promise<void>;
  /** Why sessions cannot run in the sandbox that `capabilities` claims, with the next step; undefined where they can. Absent: they always can. */
  sandboxProblem?(): Promise<string | undefined>;
  /** Throws a RuntimeError (`invalid_input`) where the agent could do nothing with the answer. */
  checkAnswer?(answer: RequestAnswer): void;
  /** What of an answer's `updated_permissions` the agent allows from now on without asking, in its own words. */
  grantsFrom?(
    request: EventData<"permission_request">,
    updates: readonly JsonObject[],
  ): readonly JsonObject[];
  /** What a permission request would do with this input, in the words that its `gate` takes; as the request has it by default. */
  gatedCalls?(request: EventData<"permission_request">, input: JsonValue): readonly GatedCall[];
  /** The decision of a hook that refuses what it is asked about; none where it cannot refuse. */
  refusalOfHook?(request: EventData<"hook_request">, reason: string): JsonObject;
  /** Where the agent of such a session is not started by us but dials in: how long it may be disconnected before it counts as lost, in ms. */
  returnMs?(session: RunConfiguration): number | undefined;
  /** Takes agents that open a connection to us. */
  readonly dialIn?: DialInPort;
  /** Starts an agent, or wakes it where `resume` names the provider's session. Rejects with a RuntimeError. */
  createRun(options: RunOptions): Promise<Run<Native>>;
  /** Copies a provider session up to and with a turn; answers with the copy's id. */
  fork?(source: ForkSource): Promise<{ providerSessionId: string }>;
  /** Our session went into the archive or came out: the provider's goes the same way, and is resumed only outside. */
  setArchived?(providerSessionId: string, isArchived: boolean): Promise<void>;
  /** The command that resumes a provider session in a terminal; none where no command would. */
  resumeCommand?(place: { providerSessionId: string; cwd: string }): string | undefined;
  /** The conversations that the agent's own program made on this machine. */
  readonly history?: RuntimeHistory;
  /** Which files of a project and of a person configure its agents; none where it reads none. */
  readonly configuration?: ConfigurationSources;
  /** Gives back what the runtime holds beyond its runs. */
  close?(): Promise<void>;
}

export interface RuntimeHistory {
  /** Newest first; nothing where the program was never used. */
  list(): Promise<readonly Omit<PastSession, "runtime">[]>;
  /** The whole conversation as events with their times; undefined when there is none by that id. */
  read(providerSessionId: string): Promise<readonly TimedDraft[] | undefined>;
  /** The id that `list` has for a session of ours; the same by default. */
  listedId?(providerSessionId: string): string;
  /** The turns that a provider session of ours got elsewhere, such as in a terminal: oldest first, the events of each. */
  readExternal?(query: MissedTurnQuery): Promise<readonly (readonly TimedDraft[])[]>;
}

/** An event with the time at which it happened. */
export type TimedDraft = EventDraft & { ts: string };

export interface MissedTurnQuery {
  readonly providerSessionId: string;
  /** When the last turn in our log ended: a missed turn began later. */
  readonly since: string;
  /** The ids of all turns in our log, also of those rolled back. It reads the log: ask only when there may be something. */
  readonly knownTurnIds: () => Promise<ReadonlySet<string>>;
  /** Turns of a record that others have continued elsewhere are not part of the conversation. */
  readonly transcripts?: TranscriptPort;
}

/** What a session's agent is configured with; fixed for the life of a run. */
export interface RunConfiguration {
  readonly systemPrompt?: Exclude<SystemPrompt, string>;
  /** MCP servers by name. Their `env` and `headers` are secrets: never in a log, a list or an error. */
  readonly mcpServers?: Readonly<Record<string, McpServer>>;
  /** Tools that are used without asking. */
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Hook events that ask a person. */
  readonly hookEvents?: readonly string[];
  /** How often the agent may call its model in one turn. */
  readonly maxTurns?: number;
  /** The JSON Schema of the object that each turn ends with. */
  readonly outputSchema?: JsonObject;
  readonly agents?: { readonly maxAtOnce?: number; readonly maxDepth?: number };
  readonly params?: JsonObject;
  /** Runs commands in a sandbox, or not at all. */
  readonly sandbox?: SandboxWish;
}

export interface RunOptions extends RunConfiguration {
  readonly sessionId: string;
  readonly cwd: string;
  /** Whether the project may configure the agent; without it, it may not. */
  readonly project?: ProjectAccess;
  readonly model?: string;
  /** One of the efforts of the runtime's capabilities. */
  readonly effort?: string;
  readonly permissionMode?: string;
  readonly title?: string;
  /** What the agent may do without asking, as `setGrants` takes it. */
  readonly grants?: readonly JsonObject[];
  /** The provider session to continue; only ids that we stored ourselves ever stand here. */
  readonly resume?: string;
  /** Whether the session has had a request with this id: no other request may have it. */
  readonly isRequestIdUsed?: (id: string) => boolean;
  /** Asked before every use of a tool, where the agent cannot skip it. */
  readonly gate?: ToolGate;
  /** What of the session's log an agent that was there before needs to be followed again, oldest first. */
  readonly past?: () => AsyncIterable<SessionEvent>;
  /** What the session's UI can show, and shows. */
  readonly ui?: UiPort;
  /** Where the agent's own record of the conversation is kept for other machines. */
  readonly transcripts?: TranscriptPort;
  /** What was said last, as far as no agent has ended the turn: a record of its own may lack it. It reads the log. */
  readonly unfinishedTurns?: () => Promise<UnfinishedTurns>;
  /** The words of the conversation before the turn that runs. Absent where another host may have the agent's own record of it. */
  readonly conversation?: () => Promise<readonly PastMessage[]>;
}

/** The turns at the end of a conversation whose agent was lost, or never got them. */
export interface UnfinishedTurns {
  /** What was said in them, oldest first. */
  readonly inputs: readonly LostInput[];
  /** Whether they are all turns that the conversation has. */
  readonly isWhole: boolean;
}

export interface LostInput extends TurnInput {
  /** It joined the turn that ran. */
  readonly isSteer: boolean;
}

/** What a project's own files may do to an agent. */
export interface ProjectAccess {
  readonly isTrusted: boolean;
  /** The files that must not take effect. */
  readonly untrustedFiles: readonly string[];
  /** The names of the sub-agents that files in force define, the person's own among them. */
  readonly agents?: readonly string[];
}

export interface ForkSource {
  readonly providerSessionId: string;
  readonly cwd: string;
  /** Turns to keep, counted from the first. */
  readonly turns: number;
  /** The ids of all turns, oldest first: those that have finished, then the running one. */
  readonly turnIds: readonly string[];
  /** Has the record of the source, and takes that of the copy. */
  readonly transcripts?: TranscriptPort;
}

export interface RollbackOptions {
  /** The first turn to forget, counted from 0. */
  readonly turnIndex: number;
  /** The ids of all finished turns, oldest first. */
  readonly turnIds: readonly string[];
  readonly files: boolean;
}

/** What a turn is asked to do. */
export interface TurnInput {
  readonly turnId: string;
  readonly messageId: string;
  readonly content: readonly ContentBlock[];
  readonly context?: JsonObject;
  /** What a person did in a component, where the turn comes from there; `content` says the same in words. */
  readonly callback?: NonNullable<EventData<"user_message">["callback"]>;
  /** What the agent is to review, where the turn is a review; only for runtimes with that capability. */
  readonly review?: ReviewTarget;
  /** No one is there to be asked. */
  readonly isUnattended?: boolean;
}

/** What a person answered, in the words of the request it belongs to. */
export type RequestAnswer = { [Kind in AgentRequestKind]: AnswerTo<Kind> }[AgentRequestKind];

/** A live agent attached to a session. The session calls one method at a time and reads `messages` to its end. */
export interface Run<Native = unknown> {
  /** Ends when the agent is gone; throws when it died. Read once. */
  readonly messages: AsyncIterable<Native>;
  /** Hands over a turn; resolves when the agent has taken it, long before the turn ends. */
  send(input: TurnInput): Promise<void>;
  /** Asks the running turn to stop; it still ends through `messages`. */
  interrupt(): Promise<void>;
  answer(answer: RequestAnswer): Promise<void>;
  steer?(input: TurnInput): Promise<void>;
  setModel?(model: string | null): Promise<void>;
  /** From the next turn on; null: the default. */
  setEffort?(effort: string | null): Promise<void>;
  setPermissionMode?(mode: string): Promise<void>;
  /** All that the agent may do without asking; what it may do no longer is missing. */
  setGrants?(grants: readonly JsonObject[]): Promise<void>;
  stopTask?(taskId: string): Promise<void>;
  /** The session has another title. */
  rename?(title: string): Promise<void>;
  compact?(instructions?: string): Promise<void>;
  /** Reports what fills its context, through `messages`. */
  readContext?(): Promise<void>;
  /** Connects an MCP server again and reports through `messages` what came of it. */
  reconnectMcpServer?(name: string): Promise<void>;
  /** Forgets all turns from the given one, counted from 0; with `files`, also what they changed. */
  rollback?(options: RollbackOptions): Promise<{ filesRestored?: string[] }>;
  /** A component in the UI speaks to the agent. */
  componentCallback?(callback: CommandOf<"component_callback">): Promise<void>;
  /** More components can be shown: the catalog of `ui` has them. */
  catalogUpdated?(): Promise<void>;
  /** The UI changed the shared state; `state` is the whole of it afterwards. */
  sharedState?(state: JsonValue): Promise<void>;
  /** Ends the agent and everything it started. Safe to call twice; never rejects. */
  close(): Promise<void>;
}
