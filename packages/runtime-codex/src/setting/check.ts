import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { type ConnectionStep, sentenceFromStep, type RuntimeCheck } from "@turnwire/runtime";
import { typedProgram, shellWord } from "@turnwire/runtime/process";
import { codexBinary } from "./binary.ts";
import { codexEnvironment } from "./environment.ts";
import { type Credential, findCredential } from "./home.ts";
import type { CodexOptions } from "./options.ts";

const run = promisify(execFile);

/** Whether the app-server answers; who may use it is its own affair. */
async function checkRemote(url: string): Promise<RuntimeCheck> {
  const ready = new URL("/readyz", url.replace(/^ws/, "http"));
  const isReady = await fetch(ready, { signal: AbortSignal.timeout(3000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  const details = { url };
  if (isReady)
    return { isAvailable: true, details, connection: { status: "connected", account: url } };
  const command = `codex app-server --listen ${url}`;
  const steps = [{ text: "Start the app-server that the configuration names", command }];
  const problem = `The Codex app-server at ${url} does not answer. Run: ${command}`;
  return { isAvailable: false, problem, details, connection: { status: "not_connected", steps } };
}

/** Whether Codex can be used here: the program is there, and something that it can log in with. */
export async function checkCodex(options: CodexOptions): Promise<RuntimeCheck> {
  if (options.url !== undefined) return checkRemote(options.url);
  const binary = codexBinary(options.executable);
  const env = codexEnvironment(options);
  const version = await versionOf(binary, env);
  if (version === undefined) {
    const command = "npm install @openai/codex";
    const steps = [{ text: "Install Codex where Turnwire is installed", command }];
    const problem = `The program ${binary} does not run. Run: ${command}`;
    return { isAvailable: false, problem, connection: { status: "not_installed", steps } };
  }
  const details = { version, home: options.home };
  const about = { version: version.replace(/^codex(-cli)?\s+/, "") };
  const credential = await findCredential(options);
  if (!credential) {
    const steps = await loginSteps(options, binary);
    const problem = `Codex is not connected. ${steps.map(sentenceFromStep).join(" ")}`;
    const connection = { status: "not_connected" as const, ...about, steps };
    return { isAvailable: false, problem, details, connection };
  }
  const login = credential.type === "login" ? credential.file : credential.name;
  return {
    isAvailable: true,
    details: { ...details, login },
    connection: { status: "connected", account: accountFrom(credential), ...about },
  };
}

function accountFrom(credential: Credential): string {
  switch (credential.type) {
    case "key":
      return `API key in ${credential.name}`;
    case "login":
      return "Logged in with codex";
    case "provider":
      return `Model provider ${credential.name}`;
  }
}

async function loginSteps(options: CodexOptions, binary: string): Promise<ConnectionStep[]> {
  const program = await typedProgram("codex", binary, codexEnvironment(options));
  // A login in the person's own home is used as well, unless the home is one that they named.
  const place = options.isHomeShared === true ? `CODEX_HOME=${shellWord(options.home)} ` : "";
  return [
    { text: "Log in with your ChatGPT account", command: `${place}${program} login` },
    { text: "Or set an API key and start Turnwire again", command: "export OPENAI_API_KEY=sk-…" },
  ];
}

/** The last version read from each program, with what shows that the file is still the same. */
const versions = new Map<string, { readonly mark: string; readonly version: string }>();

/** To start the program takes a while, so it is asked again only when its file has changed. */
async function versionOf(binary: string, env: Record<string, string>): Promise<string | undefined> {
  const mark = await markOf(binary);
  const known = versions.get(binary);
  if (known !== undefined && known.mark === mark) return known.version;
  try {
    const { stdout } = await run(binary, ["--version"], { env, timeout: 10_000 });
    const version = stdout.trim();
    if (mark !== undefined) versions.set(binary, { mark, version });
    return version;
  } catch {
    // Not there, or not for this machine: the caller says what to do.
    return undefined;
  }
}

/** Undefined for a program that only the PATH leads to. */
async function markOf(binary: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(binary);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return undefined;
  }
}
