import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { errorText } from "@turnwire/base";
import type { RuntimeConnection } from "@turnwire/protocol";
import { type ConnectionStep, sentenceFromStep, type RuntimeCheck } from "@turnwire/runtime";
import { typedProgram, shellWord } from "@turnwire/runtime/process";
import { packagedBinary, packagedVersion } from "./binary.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { bypassProblem } from "../setting/permissions.ts";
import { loadSdk } from "../setting/sdk.ts";

/** Any of these lets the CLI in. */
const credentials: Readonly<Record<string, string>> = {
  ANTHROPIC_API_KEY: "API key in ANTHROPIC_API_KEY",
  ANTHROPIC_AUTH_TOKEN: "Token in ANTHROPIC_AUTH_TOKEN",
  CLAUDE_CODE_OAUTH_TOKEN: "Token in CLAUDE_CODE_OAUTH_TOKEN",
  CLAUDE_CODE_USE_BEDROCK: "Amazon Bedrock (CLAUDE_CODE_USE_BEDROCK)",
  CLAUDE_CODE_USE_VERTEX: "Google Vertex AI (CLAUDE_CODE_USE_VERTEX)",
};

/** Whether Claude can be used here: the SDK is there, and something that it can log in with. */
export async function checkClaude(options: ClaudeRuntimeOptions): Promise<RuntimeCheck> {
  try {
    await loadSdk();
  } catch (error) {
    const problem = errorText(error);
    const details = modeDetails(claudeEnvironment(options.env));
    return { isAvailable: false, problem, details, connection: notInstalled };
  }
  const version = options.executable === undefined ? packagedVersion() : undefined;
  return checkLogin(options, version === undefined ? {} : { version });
}

function modeDetails(env: Readonly<Record<string, string>>): Record<string, string> {
  const bypass = bypassProblem(env);
  return bypass === undefined ? {} : { bypassPermissions: `is not offered: ${bypass}` };
}

/** Whether a CLI has something to log in with; `version` and `program` are what is known of it. */
export async function checkLogin(
  options: ClaudeRuntimeOptions,
  { version, program }: { readonly version?: string; readonly program?: string },
): Promise<RuntimeCheck> {
  const env = claudeEnvironment(options.env);
  const details = { ...modeDetails(env), ...(program !== undefined && { program }) };
  const about = version === undefined ? {} : { version };
  const variable = Object.keys(credentials).find((name) => env[name]);
  const login = variable ?? (await findLogin(env));
  if (login === undefined) {
    const steps = await loginSteps(options, env);
    const problem = `Claude is not connected. ${steps.map(sentenceFromStep).join(" ")}`;
    const connection = { status: "not_connected" as const, ...about, steps };
    return { isAvailable: false, problem, details, connection };
  }
  const account = (variable && credentials[variable]) ?? "Logged in with claude";
  return {
    isAvailable: true,
    details: { login: `by ${login}`, ...details },
    connection: { status: "connected", account, ...about },
  };
}

const notInstalled: RuntimeConnection = {
  status: "not_installed",
  steps: [
    {
      text: "Install the Claude Agent SDK where Turnwire is installed",
      command: "npm install @anthropic-ai/claude-agent-sdk",
    },
  ],
};

async function loginSteps(
  { executable }: ClaudeRuntimeOptions,
  env: Readonly<Record<string, string>>,
): Promise<ConnectionStep[]> {
  const program = await typedProgram("claude", executable ?? packagedBinary(), env);
  const directory = env["CLAUDE_CONFIG_DIR"];
  const place = directory === undefined ? "" : `CLAUDE_CONFIG_DIR=${shellWord(directory)} `;
  return [
    { text: "Log in with your Claude account", command: `${place}${program} auth login` },
    {
      text: "Or set an API key and start Turnwire again",
      command: "export ANTHROPIC_API_KEY=sk-ant-…",
    },
  ];
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
