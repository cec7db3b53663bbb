import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { JsonObject } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";

/** The JSON Schema in a file. */
export async function readOutputSchema(
  file: string | undefined,
  { cwd }: Pick<Context, "cwd">,
): Promise<JsonObject | undefined> {
  if (file === undefined) return undefined;
  try {
    return JsonObject.parse(JSON.parse(await readFile(resolve(cwd, file), "utf8")));
  } catch (cause) {
    throw new CliError("usage", `--output-schema ${file} is not a file with a JSON object.`, {
      cause,
    });
  }
}
