import { parseArgs } from "node:util";
import { defined } from "@turnwire/base";
import { CliError } from "../error/cli-error.ts";
import type { Option, OptionTable, OptionValues } from "./option.ts";
import { didYouMean } from "../error/suggestion.ts";

export interface ParsedArguments<Table extends OptionTable> {
  readonly values: OptionValues<Table>;
  /** Where each value comes from, for people. */
  readonly origins: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
}

type Written = ReadonlyMap<string, readonly string[]>;

/** What a configuration file has, by its keys. */
interface ConfigurationTexts {
  readonly path: string;
  readonly config: Readonly<Record<string, unknown>>;
}

interface ArgumentSources {
  readonly written: Written;
  readonly env: NodeJS.ProcessEnv;
  readonly file?: ConfigurationTexts | undefined;
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

function textsFromVariable(option: Option, env: NodeJS.ProcessEnv): readonly string[] {
  const text = option.variable === undefined ? undefined : env[option.variable];
  if (text === undefined || (text === "" && option.argument !== undefined)) return [];
  return option.separator === undefined ? [text] : text.split(option.separator);
}

/** The value of a configuration file as it would be written on the command line. */
function textsFromFile({ key }: Option, file: ConfigurationTexts): readonly string[] | undefined {
  const value = key === undefined ? undefined : file.config[key];
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return [value ? "1" : "0"];
  return [value].flat().map(String);
}

/** The first source that has the option. */
function textsOf(
  name: string,
  option: Option,
  { written, env, file }: ArgumentSources,
): { texts: readonly string[]; origin: string } {
  const flags = written.get(name);
  if (flags) return { texts: flags, origin: `--${name}` };
  const fromVariable = textsFromVariable(option, env);
  if (fromVariable.length > 0) return { texts: fromVariable, origin: option.variable ?? "" };
  const fromFile = file && textsFromFile(option, file);
  if (fromFile) return { texts: fromFile, origin: `${option.key} in ${file.path}` };
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
