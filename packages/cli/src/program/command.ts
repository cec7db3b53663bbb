import { parseArguments } from "../option/argument.ts";
import { CliError } from "../error/cli-error.ts";
import type { ConfigFile } from "../configuration/config-file.ts";
import { serverConfigFile } from "../configuration/configuration.ts";
import type { Context } from "./context.ts";
import { type CommandName, commandOptions, type CommandValues } from "../option/option-table.ts";
import type { OptionTable } from "../option/option.ts";

export interface Invocation<Name extends CommandName> extends Context {
  readonly values: CommandValues<Name>;
  readonly positionals: readonly string[];
  readonly origins?: ReadonlyMap<string, string>;
  readonly configFile?: ConfigFile | undefined;
}

interface Example {
  readonly command: string;
  readonly meaning: string;
}

/** What help needs to know of a command. */
interface CommandText {
  readonly name: string;
  readonly summary: string;
  /** One line for each way to call it, without the program's name. */
  readonly usage: readonly string[];
  readonly details?: string;
  readonly examples: readonly Example[];
}

interface CommandDefinition<Name extends CommandName> extends CommandText {
  readonly name: Name;
  readonly maxPositionals: number;
  readonly run: (invocation: Invocation<Name>) => Promise<number>;
}

/** A command of the program; `invoke` answers with the exit code. */
export interface Command extends CommandText {
  readonly options: OptionTable;
  invoke(args: readonly string[], context: Context): Promise<number>;
}

/** Ties what a command does to its options in the table; one that takes `--config` reads that file. */
export function defineCommand<Name extends CommandName>(
  definition: CommandDefinition<Name>,
): Command {
  const { run, maxPositionals, ...command } = definition;
  const options = commandOptions[definition.name];
  return {
    ...command,
    options,
    async invoke(args, context) {
      const { env } = context;
      const written = parseArguments(options, args, { env });
      const configFile = isConfigurable(written.values)
        ? await serverConfigFile(written.values, context)
        : undefined;
      const parsed = configFile
        ? parseArguments(options, args, { env, file: configFile })
        : written;
      const surplus = parsed.positionals[maxPositionals];
      if (surplus !== undefined) {
        throw new CliError(
          "usage",
          `turnwire ${command.name} does not know what to do with "${surplus}". See: turnwire help ${command.name}`,
        );
      }
      return run({ ...context, ...parsed, configFile });
    },
  };
}

type FilePlace = Pick<CommandValues<"serve">, "config" | "data">;

/** Whether these are values of a command that takes a configuration file. */
function isConfigurable(values: object): values is FilePlace {
  return "config" in values && "data" in values;
}
