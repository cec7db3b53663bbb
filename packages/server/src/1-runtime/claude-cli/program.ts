import { packagedBinary } from "../claude/binary.ts";
import { claudeEnvironment } from "../claude/setting/environment.ts";
import type { ClaudeRuntimeOptions } from "../claude/runtime-options.ts";
import { isOnPath } from "../process/program-path.ts";
import { RuntimeError } from "../process/runtime-error.ts";

/** The CLI to run: the configured one, what the PATH has, or that of the Agent SDK. */
export async function findCli(options: ClaudeRuntimeOptions): Promise<string | undefined> {
  if (options.executable !== undefined) return options.executable;
  return (await isOnPath("claude", claudeEnvironment(options.env))) ? "claude" : packagedBinary();
}

export async function cliProgram(options: ClaudeRuntimeOptions): Promise<string> {
  const program = await findCli(options);
  if (program !== undefined) return program;
  throw new RuntimeError("not_available", "The Claude CLI is not installed.");
}
