import { ClientError } from "@turnwire/client";
import { CliError, exitCode } from "./cli-error.ts";
import type { Command, Context } from "./command.ts";
import { chat } from "./command/chat.ts";
import { doctor } from "./command/doctor.ts";
import { send } from "./command/send.ts";
import { serve } from "./command/serve.ts";
import { sessions } from "./command/sessions.ts";
import { tail } from "./command/tail.ts";
import { commandHelp, programHelp } from "./help.ts";
import { didYouMean } from "./suggestion.ts";
import { formatFor } from "./terminal/format.ts";
import { readVersion } from "./version.ts";

const commands: readonly Command[] = [serve, chat, sessions, send, tail, doctor];

function findCommand(name: string): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const suggestion = didYouMean(name, [...commands.map((each) => each.name), "help"]);
  throw new CliError("usage", `There is no command "${name}".${suggestion} See: turnwire --help`);
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
  const [first] = args;
  if (first === "--version" || first === "-v") return print(`${readVersion()}\n`);
  if (first === "--help" || first === "-h") return print(programHelp(commands, format));
  if (first === "help") {
    const [, name] = args;
    return print(
      name === undefined ? programHelp(commands, format) : commandHelp(findCommand(name), format),
    );
  }
  const isNamed = first !== undefined && !first.startsWith("-");
  const command = isNamed ? findCommand(first) : serve;
  const rest = isNamed ? args.slice(1) : args;
  return wantsHelp(rest) ? print(commandHelp(command, format)) : command.invoke(rest, context);
}

/** The one funnel for what goes wrong: a sentence for a person, and the exit code. */
function explain(error: unknown): { sentence: string; code: number } {
  if (error instanceof CliError) return { sentence: error.message, code: error.exitCode };
  if (error instanceof ClientError)
    return { sentence: clientSentence(error), code: exitCode.failure };
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
