import { ClientError } from "@turnwire/client";
import { CliError, exitCode } from "./error/cli-error.ts";
import type { Command } from "./program/command.ts";
import type { Context } from "./program/context.ts";
import { commandHelp, programHelp } from "./program/help.ts";
import { didYouMean } from "./error/suggestion.ts";
import { type Format, formatFor } from "./terminal/format.ts";
import { readVersion } from "./program/version.ts";

/** Loaded when needed: a client command need not wait for the server's code. */
const loaders = {
  serve: async () => (await import("./command/serve.ts")).serve,
  relay: async () => (await import("./command/relay.ts")).relay,
  chat: async () => (await import("./command/chat.ts")).chat,
  sessions: async () => (await import("./command/sessions.ts")).sessions,
  projects: async () => (await import("./command/projects.ts")).projects,
  run: async () => (await import("./command/run.ts")).run,
  send: async () => (await import("./command/send.ts")).send,
  tail: async () => (await import("./command/tail.ts")).tail,
  login: async () => (await import("./command/login.ts")).login,
  logins: async () => (await import("./command/logins.ts")).logins,
  tokens: async () => (await import("./command/tokens.ts")).tokens,
  audit: async () => (await import("./command/audit.ts")).audit,
  hosts: async () => (await import("./command/hosts.ts")).hosts,
  policy: async () => (await import("./command/policy.ts")).policy,
  config: async () => (await import("./command/config.ts")).config,
  worktrees: async () => (await import("./command/worktrees.ts")).worktrees,
  trust: async () => (await import("./command/trust.ts")).trust,
  doctor: async () => (await import("./command/doctor.ts")).doctor,
} satisfies Record<string, () => Promise<Command>>;

function isCommand(name: string): name is keyof typeof loaders {
  return Object.hasOwn(loaders, name);
}

async function loadCommand(name: string): Promise<Command> {
  if (isCommand(name)) return loaders[name]();
  const suggestion = didYouMean(name, [...Object.keys(loaders), "help"]);
  throw new CliError("usage", `There is no command "${name}".${suggestion} See: turnwire --help`);
}

/** Every command, in the order in which help lists them. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(loaders).map((load) => load()));
}

async function programText(format: Format): Promise<string> {
  return programHelp(await loadCommands(), format);
}

function wantsHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const before = end < 0 ? args : args.slice(0, end);
  return before.includes("--help") || before.includes("-h");
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const format = formatFor(context.stdout, context.env);
  const print = (text: string): number => {
    context.stdout.write(text);
    return exitCode.ok;
  };
  const [first, second] = args;
  if (first === "--version" || first === "-v") return print(`${readVersion()}\n`);
  const isProgramHelp = first === "--help" || first === "-h";
  if (isProgramHelp || (first === "help" && second === undefined)) {
    return print(await programText(format));
  }
  if (first === "help") return print(commandHelp(await loadCommand(second ?? ""), format));
  const isNamed = first !== undefined && !first.startsWith("-");
  const command = await loadCommand(isNamed ? first : "serve");
  const rest = isNamed ? args.slice(1) : args;
  return wantsHelp(rest) ? print(commandHelp(command, format)) : command.invoke(rest, context);
}

/** The one funnel for what goes wrong: a sentence for a person, and the exit code. */
function explain(error: unknown): { sentence: string; code: number } {
  if (error instanceof CliError) return { sentence: error.message, code: error.exitCode };
  if (error instanceof ClientError) {
    return { sentence: clientSentence(error), code: exitCode.failure };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { sentence: `This should not have happened. ${text}`, code: exitCode.failure };
}

function clientSentence(error: ClientError): string {
  switch (error.error?.code) {
    case "unauthorized":
      return "The server does not accept the token: set TURNWIRE_TOKEN, or name its data directory with --data.";
    case "session_not_found":
      return "There is no such session: see turnwire sessions.";
    default:
      return error.message;
  }
}

/** Runs the program; answers with its exit code and never throws. */
export async function runCli(args: readonly string[], context: Context): Promise<number> {
  try {
    return await dispatch(args, context);
  } catch (error) {
    const { sentence, code } = explain(error);
    const mark = formatFor(context.stderr, context.env).colors.red("turnwire:");
    context.stderr.write(`${mark} ${sentence}\n`);
    return code;
  }
}
