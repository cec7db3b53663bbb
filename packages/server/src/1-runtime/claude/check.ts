import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { errorText } from "@turnwire/base";
import type { RuntimeCheck } from "../runtime.ts";
import { claudeEnvironment } from "./environment.ts";
import type { ClaudeRuntimeOptions } from "./options.ts";
import { bypassProblem } from "./permissions.ts";
import { loadSdk } from "./sdk.ts";

/** Any of these lets the CLI in. */
const credentials = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
];

/** Whether Claude can be used here: the SDK is there, and something that it can log in with. */
export async function checkClaude(options: ClaudeRuntimeOptions): Promise<RuntimeCheck> {
  const env = claudeEnvironment(options.env);
  const bypass = bypassProblem(env);
  const details = {
    ...(bypass !== undefined && { bypassPermissions: `is not offered: ${bypass}` }),
  };
  try {
    await loadSdk();
  } catch (error) {
    const problem = errorText(error);
    return { isAvailable: false, problem, details };
  }
  const login = credentials.find((name) => env[name]) ?? (await findLogin(env));
  if (login === undefined) {
    const problem =
      "Claude has no credentials. Set ANTHROPIC_API_KEY, or log in with the command `claude`.";
    return { isAvailable: false, problem, details };
  }
  return { isAvailable: true, details: { login: `by ${login}`, ...details } };
}

/** Where a person's login is kept: in a file, or on macOS in the keychain, with a trace in a file. */
async function findLogin(env: Readonly<Record<string, string>>): Promise<string | undefined> {
  const home = env["HOME"] ?? homedir();
  const directory = env["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude");
  const files = [join(directory, ".credentials.json")];
  if (process.platform === "darwin") files.push(join(home, ".claude.json"));
  for (const file of files) if (await exists(file)) return file;
  return undefined;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
