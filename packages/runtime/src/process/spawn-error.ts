import { existsSync } from "node:fs";
import { RuntimeError } from "./runtime-error.ts";

/** Says why a command could not be started, and what to do about it. */
export function spawnError(
  cause: unknown,
  { command, cwd }: { readonly command: string; readonly cwd: string },
): RuntimeError {
  return new RuntimeError("spawn_failed", explain(cause, command, cwd), { cause });
}

function explain(cause: unknown, command: string, cwd: string): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
      return existsSync(cwd)
        ? `The command ${command} was not found. Install it, or put it on the PATH.`
        : `The working directory ${cwd} does not exist. Create it, or choose another.`;
    case "ENOTDIR":
      return `The working directory ${cwd} is not a directory. Choose another.`;
    case "EACCES":
      return `The command ${command} may not be executed in ${cwd}. Check the permissions of both.`;
    case "E2BIG":
      return `The arguments of ${command} are too long. Send long text through its input instead.`;
    case "ERR_INVALID_ARG_VALUE":
      return `The command, its arguments or its environment contain a NUL byte. Remove it.`;
    case "EAGAIN":
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return `The system has no room for another process (${code}). Close some sessions and try again.`;
    default:
      return `The command ${command} could not be started: ${String(cause)}. Try it in a terminal.`;
  }
}
