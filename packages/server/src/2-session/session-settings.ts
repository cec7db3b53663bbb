import type { Clock } from "@turnwire/base";
import type {
  CatalogEntry,
  Command,
  CommandOf,
  Control,
  CreateSession,
  Result,
  SessionInfo,
  SystemPrompt,
  WorktreeChoice,
  WorktreeRemoval,
  Principal,
} from "@turnwire/protocol";
import type { Lease, Store } from "@turnwire/log";
import type { EventLog } from "@turnwire/log/event-log";
import type { RunOptions, Runtime } from "@turnwire/runtime";
import type { Evaluator } from "./evaluation/evaluator.ts";
import type { PolicySource } from "./policy/policy-source.ts";
import type { RunSlots } from "./agent/slot-request.ts";
import type { Commit } from "./record/session-log.ts";
import type { Session } from "./session.ts";
import type { ComponentIndex } from "./ui/component-index.ts";
import type { ConfigurationSource } from "./agent/session-configuration.ts";

/** What every session of a host shares. */
export interface SessionSettings {
  readonly store: Store;
  readonly slots: RunSlots;
  readonly clock: Clock;
  readonly policy: PolicySource;
  /** The components that every new session can show. */
  readonly catalog: readonly CatalogEntry[];
  readonly evaluator: Evaluator;
  readonly idleMs: number;
  readonly interruptMs: number;
  readonly requestTimeoutMs: number;
  readonly maxQueue: number;
  readonly retainEvents?: number;
  /** The directories that this host sees, on a store that it shares with other hosts. */
  readonly storage: string | undefined;
  /** Whether the host is about to leave: then no turn starts any more. */
  readonly isDraining: () => boolean;
  readonly fork: (
    source: Session,
    command: CommandOf<"fork">,
    principal: Principal,
  ) => Promise<Result<SessionInfo>>;
  /** Deletes a session, with what is to become of its worktree. */
  readonly remove: (
    sessionId: string,
    principal: Principal,
    choice: WorktreeChoice,
  ) => Promise<Result<WorktreeRemoval | undefined>>;
  /** Whether another host may have the session because its agent, a CLI, has dialled in there. */
  readonly checkHandOver: (sessionId: string) => Result<void>;
  /** The session's end has begun; `ended` settles when another object may act for it. */
  readonly onEnding: (session: Session, ended: Promise<void>) => void;
  /** An abandoned session could not give back its lease, which keeps every other host out. */
  readonly onLeaseLeft: (sessionId: string) => void;
  /** The session did something: others are longer unused. */
  readonly onUsed: (session: Session) => void;
  /** A command is about to be decided; the returned function is called with what became of it. */
  readonly onCommand: (
    session: Pick<Session, "id" | "control">,
    command: Command,
    principal: Principal,
  ) => (result: Result<unknown>) => void;
  readonly onAppended: (commit: Commit) => void;
  /** What lists show of the session may have become something else. */
  readonly onChanged: (session: Session) => void;
  /** Where errors go that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** A session as it comes out of the store, with the right to continue it. */
export interface LoadedSession {
  readonly lease: Lease;
  readonly log: EventLog;
  readonly control: Control;
  readonly components: ComponentIndex;
  readonly runtime: Runtime;
  readonly runOptions: (control: Control) => Promise<RunOptions>;
  readonly configuration: ConfigurationSource;
  /** How the session was created, with the instructions that it has now. */
  readonly creation: () => CreateSession;
  /** Instructions from the next start of the agent on; runOptions has them then. */
  readonly setSystemPrompt: (prompt: SystemPrompt) => void;
}
