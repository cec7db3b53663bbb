import { parseArgs } from "node:util";
import { defined } from "@turnwire/base";
import { CliError } from "./cli-error.ts";
import type { Option, OptionTable, OptionValues } from "./option.ts";
import { didYouMean } from "./suggestion.ts";

export interface ParsedArguments<Table extends OptionTable> {
  readonly values: OptionValues<Table>;
  readonly positionals: readonly string[];
}

type Written = ReadonlyMap<string, readonly string[]>;

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

function readOption(
  name: string,
  option: Option<unknown>,
  [written, env]: [Written, NodeJS.ProcessEnv],
) {
  const flags = written.get(name);
  if (flags) return option.read(flags, `--${name}`);
  return option.read(textsFromVariable(option, env), option.variable ?? `--${name}`);
}

/** Reads a command's arguments: a flag beats its variable, a variable beats the default. */
export function parseArguments<Table extends OptionTable>(
  table: Table,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
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
  const values = Object.fromEntries(
    Object.entries(table).map(([name, option]) => [name, readOption(name, option, [written, env])]),
  );
  // Each value was read by the option of its own name, so the values fit the table.
  return { values: values as OptionValues<Table>, positionals };
}
