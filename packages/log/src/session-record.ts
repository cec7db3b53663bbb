import type {
  CreateSession,
  SessionActivity,
  SessionStatus,
  SystemPrompt,
  Worktree,
} from "@turnwire/protocol";

/** What the store knows of a session beside its events. */
export interface SessionRecord {
  readonly sessionId: string;
  /** The principal that owns the session. */
  readonly owner: string;
  /** Changes when events were really lost. */
  readonly epoch: string;
  readonly runtime: string;
  /** How the session was created; a run is started from it. */
  readonly options: CreateSession;
  readonly status: SessionStatus;
  readonly activity: SessionActivity;
  readonly title?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly permissionMode?: string;
  readonly policyMode?: string;
  /** Instructions that replaced those of `options`. */
  readonly systemPrompt?: SystemPrompt;
  readonly cwd: string;
  /** The storage that has its working directory: hosts that name it can run the session; any host where it is not set. */
  readonly storage?: string;
  /** The git worktree that was made for it. */
  readonly worktree?: Worktree;
  readonly providerSessionId?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The newest event's seq; 0 before the first. */
  readonly head: number;
  /** Events up to and with this seq have been removed by retention. */
  readonly trimmed: number;
  /** Its first events are still being copied: no session yet, and a leftover when no process does it. */
  readonly isPartial?: boolean;
  /** Some of this could not be read from the store: what is unknown has a placeholder value. */
  readonly isDamaged?: boolean;
}

/** What an append may change of the record, in the same transaction; null takes a value away. */
export interface RecordPatch {
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
  readonly title?: string | null;
  readonly model?: string | null;
  readonly effort?: string | null;
  readonly permissionMode?: string | null;
  readonly policyMode?: string | null;
  readonly providerSessionId?: string | null;
  readonly systemPrompt?: SystemPrompt;
  readonly updatedAt?: string;
  readonly isPartial?: null;
}

export interface SessionFilter {
  readonly owner?: string;
  readonly status?: SessionStatus;
  readonly activity?: SessionActivity;
  /** Only those that are still being made; none of them when it is not set. */
  readonly isPartial?: true;
  readonly limit: number;
  /** Only what comes after this place in the order newest update first, then highest id first. */
  readonly after?: ListPosition;
}

/** A place in the list of sessions; it stays where it is when the session that it came from moves. */
export type ListPosition = Pick<SessionRecord, "updatedAt" | "sessionId">;
