import { parseArgs } from "node:util";
import { defined } from "@turnwire/base";
import { CliError } from "./cli-error.ts";
import type { Option, OptionTable, OptionValues } from "./option.ts";
import { didYouMean } from "./suggestion.ts";

export interface ParsedArguments<Table extends OptionTable> {
  readonly values: OptionValues<Table>;
  /** Where each value comes from, for people. */
  readonly origins: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
}

type Written = ReadonlyMap<string, readonly string[]>;

interface ArgumentSources {
  readonly written: Written;
  readonly env: NodeJS.ProcessEnv;
  /** What a configuration file says, by the option's name. */
  readonly file?: { readonly path: string; readonly texts: Written } | undefined;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function parserOptions(table: OptionTable) {
  return Object.fromEntries(
    Object.entries(table).map(([name, option]) => [
      name,
      {
        type: option.argument === undefined ? ("boolean" as const) : ("string" as const),
        multiple: true,
        ...defined({ short: option.short }),
      },
    ]),
  );
}

function textFromToken(table: OptionTable, token: OptionToken): string {
  const { name, rawName, value } = token;
  const option = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!option) {
    const suggestion = didYouMean(name, Object.keys(table), "--");
    throw new CliError("usage", `Unknown option ${rawName}.${suggestion}`);
  }
  if (option.argument === undefined) {
    if (value !== undefined) throw new CliError("usage", `${rawName} takes no value.`);
    return "1";
  }
  const isNextOption = !token.inlineValue && value?.startsWith("--");
  if (value === undefined || isNextOption) {
    throw new CliError("usage", `${rawName} needs a value: ${rawName} ${option.argument}.`);
  }
  return value;
}

function textsFromVariable(option: Option<unknown>, env: NodeJS.ProcessEnv): readonly string[] {
  const text = option.variable === undefined ? undefined : env[option.variable];
  if (text === undefined || (text === "" && option.argument !== undefined)) return [];
  return option.separator === undefined ? [text] : text.split(option.separator);
}

/** The first source that says something of the option. */
function textsOf(
  name: string,
  option: Option<unknown>,
  { written, env, file }: ArgumentSources,
): { texts: readonly string[]; origin: string } {
  const flags = written.get(name);
  if (flags) return { texts: flags, origin: `--${name}` };
  const fromVariable = textsFromVariable(option, env);
  if (fromVariable.length > 0) return { texts: fromVariable, origin: option.variable ?? "" };
  const fromFile = file?.texts.get(name);
  if (file && fromFile) {
    return { texts: fromFile, origin: `${name.replaceAll("-", "_")} in ${file.path}` };
  }
  return { texts: [], origin: "default" };
}

/** Reads a command's arguments: a flag beats its variable, a variable beats the file, the file beats the default. */
export function parseArguments<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  { env, file }: Omit<ArgumentSources, "written">,
): ParsedArguments<Table> {
  const { tokens } = parseArgs({
    args: [...args],
    options: parserOptions(table),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const written = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind === "option") {
      const earlier = written.get(token.name) ?? [];
      written.set(token.name, [...earlier, textFromToken(table, token)]);
    }
  }
  const sources = { written, env, file };
  const origins = new Map<string, string>();
  const entries = Object.entries(table).map(([name, option]) => {
    const { texts, origin } = textsOf(name, option, sources);
    origins.set(name, origin);
    return [name, option.read(texts, origin)];
  });
  const values: unknown = Object.fromEntries(entries);
  // Each value was read by the option of its own name, so the values fit the table.
  return { values: values as OptionValues<Table>, origins, positionals };
}
