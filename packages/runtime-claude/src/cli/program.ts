import { packagedBinary } from "../sdk/binary.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { isOnPath } from "@turnwire/runtime/process";
import { RuntimeError } from "@turnwire/runtime";

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
