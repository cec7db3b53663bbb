import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { childEnvironment } from "@turnwire/runtime/process";
import type { ClaudePlace } from "./claude-place.ts";
import type { ClaudeSession } from "./claude-session.ts";

/** Runs the CLI in the place, as a person would in a terminal; answers with what it wrote. */
export async function runClaude(
  place: Pick<ClaudePlace, "cwd" | "env">,
  ...args: string[]
): Promise<string> {
  const child = spawn(claudeBinary(), args, {
    cwd: place.cwd,
    env: childEnvironment(["PATH", "CLAUDE_CONFIG_DIR"], place.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  child.stdout.on("data", (chunk) => (written += chunk));
  child.stderr.on("data", (chunk) => (written += chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`claude ${args.join(" ")} ended with code ${code}: ${written}`);
  return written;
}

/** The one that the SDK brings along. */
function claudeBinary(): string {
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  const place = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return join(dirname(place), "claude");
}

/** Puts the agent to sleep and continues the conversation in a terminal. */
export async function continueInTerminal(
  place: Pick<ClaudePlace, "cwd" | "env">,
  session: ClaudeSession,
  ...prompts: string[]
): Promise<void> {
  await session.session.hibernate();
  const id = session.providerSessionId ?? "";
  for (const prompt of prompts) {
    await runClaude(place, "-p", "--model", "claude-opus-5-5", "--resume", id, prompt);
  }
}
