import type {
  Command,
  Control,
  CreateSession,
  Result,
  SessionInfo,
  SessionState,
  SystemPrompt,
  SettingCommand,
  Principal,
} from "@turnwire/protocol";
import type { ReadableLog } from "@turnwire/log";

/** A command that is in the log, and where; or one that is stored and waits for the session's host. */
export interface Accepted {
  /** The position of its last event; while it waits, the newest that is known. */
  readonly seq: number;
  readonly messageId?: string;
  /** The same message had been accepted before; nothing was done again. */
  readonly duplicate?: boolean;
  /** It is stored, and the host that has the session has not answered yet. */
  readonly isPending?: true;
  readonly forked?: SessionInfo;
}

/** A session for those who read and command it: one that this process holds, or one that can only be read. */
export interface OpenSession {
  readonly id: string;
  readonly owner: string;
  readonly log: ReadableLog;
  readonly control: Control;
  /** How the session was created. */
  readonly creation: CreateSession;
  info(): SessionInfo;
  execute(command: Command, principal: Principal): Promise<Result<Accepted>>;
  /** Changes several settings at once: all of them or, if one is refused, none. */
  update(commands: readonly SettingCommand[], principal: Principal): Promise<Result<Accepted>>;
  snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }>;
  /** Starts the agent now instead of at the next message. */
  wake(): Promise<Result<SessionInfo>>;
  /** Gives the agent other instructions, from its next turn on. */
  instruct(prompt: SystemPrompt, principal: Principal): Promise<Result<void>>;
  /** A subscriber keeps the session loaded until it calls what this returns. */
  attach(): () => void;
}
