import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { shellWord } from "./shell-word.ts";

/** A program as a person types it: by its name where the PATH leads to it, else by its whole path. */
export async function typedProgram(
  name: string,
  path: string | undefined,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  if (path === undefined || path === name || (await isOnPath(name, env))) return name;
  return shellWord(path);
}

/** Whether the PATH leads to a program of that name. */
export async function isOnPath(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<boolean> {
  for (const directory of (env["PATH"] ?? "").split(delimiter)) {
    if (directory !== "" && (await isExecutable(join(directory, name)))) return true;
  }
  return false;
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
