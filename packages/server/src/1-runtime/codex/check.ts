import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { RuntimeCheck } from "../runtime.ts";
import { codexBinary } from "./binary.ts";
import { codexEnvironment } from "./environment.ts";
import { findCredential } from "./home.ts";
import type { CodexRuntimeOptions } from "./options.ts";

const run = promisify(execFile);

/** Whether Codex can be used here: the program is there, and something that it can log in with. */
export async function checkCodex(options: CodexRuntimeOptions): Promise<RuntimeCheck> {
  const binary = codexBinary(options.executable);
  const version = await versionOf(binary, codexEnvironment(options));
  if (version === undefined) {
    const problem = `The program ${binary} does not run. Run: npm install @openai/codex`;
    return { isAvailable: false, problem };
  }
  const details = { version, home: options.home };
  const credential = await findCredential(options);
  if (!credential) {
    const problem =
      "Codex has no credentials. Set OPENAI_API_KEY, or log in with the command `codex login`.";
    return { isAvailable: false, problem, details };
  }
  const login = credential.type === "login" ? credential.file : credential.name;
  return { isAvailable: true, details: { ...details, login } };
}

async function versionOf(binary: string, env: Record<string, string>): Promise<string | undefined> {
  try {
    const { stdout } = await run(binary, ["--version"], { env, timeout: 10_000 });
    return stdout.trim();
  } catch {
    // Not there, or not for this machine: the caller says what to do.
    return undefined;
  }
}
