/** Why an agent could not start or died. */
export type RuntimeErrorCode =
  | "not_available"
  /** No agent can be had now; a later try may succeed. */
  | "busy"
  | "spawn_failed"
  | "start_timeout"
  | "exited"
  | "stalled"
  | "resume_failed"
  /** This machine has no record of the conversation that is to be continued, or not its worktree; another one may have it. */
  | "conversation_missing"
  | "protocol"
  /** What was asked for can never work: wrong params, a file that is too large. */
  | "invalid_input";

export class RuntimeError extends Error {
  readonly code: RuntimeErrorCode;
  constructor(code: RuntimeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "RuntimeError";
    this.code = code;
  }
}
