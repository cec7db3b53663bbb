/** Why a command could not do its work; each code has its exit code. */
export type CliErrorCode =
  | "usage"
  | "not_supported"
  | "port_in_use"
  | "data_in_use"
  | "data_unusable"
  | "no_server"
  | "server_refused"
  | "store_failed";

/** What programs that call turnwire can rely on. */
export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  turnFailed: 3,
  waitsForPerson: 4,
  limitReached: 5,
  notDone: 6,
} as const;

/** A failure that a person can do something about: its message is one sentence with the next step. */
export class CliError extends Error {
  readonly code: CliErrorCode;
  constructor(code: CliErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "CliError";
    this.code = code;
  }

  get exitCode(): number {
    const isUsage = this.code === "usage" || this.code === "not_supported";
    return isUsage ? exitCode.usage : exitCode.failure;
  }
}
