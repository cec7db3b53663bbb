import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer as readAll } from "node:stream/consumers";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";

export interface TaskSource {
  readonly words: readonly string[];
  readonly file: string | undefined;
}

/** What the agent is to do: from the command line, from a file, or from standard input. */
export async function readTask(
  { words, file }: TaskSource,
  { stdin, cwd }: Pick<Context, "stdin" | "cwd">,
): Promise<string> {
  if (words.length > 0 && file !== undefined) {
    throw new CliError("usage", "Give the prompt on the command line or with --file, not both.");
  }
  const isStdin = words.length === 0 || (words.length === 1 && words[0] === "-");
  const task =
    file !== undefined
      ? decoded(await readFileOf(resolve(cwd, file)), file)
      : isStdin
        ? decoded(await readStdin(stdin), "standard input")
        : words.join(" ");
  if (task.trim() === "")
    throw new CliError("usage", "There is nothing to do: the prompt is empty.");
  return task;
}

/** Someone at a terminal who wrote no prompt would wait for an answer to nothing. */
async function readStdin(stdin: Context["stdin"]): Promise<Uint8Array> {
  if (stdin.isTTY === true) {
    throw new CliError(
      "usage",
      'Missing prompt. Usage: turnwire run "PROMPT", or --file FILE, or a prompt through a pipe.',
    );
  }
  return readAll(stdin);
}

async function readFileOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError("usage", `--file ${path} cannot be read (${reason}).`, { cause });
  }
}

function decoded(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CliError("usage", `${name} is not text in UTF-8.`, { cause });
  }
}
