import type { Readable, Writable } from "node:stream";
import type { Runtime } from "@turnwire/server";
import { parseArguments } from "./argument.ts";
import { CliError } from "./cli-error.ts";
import { type ConfigFile, flagTexts } from "./config-file.ts";
import type { OptionTable, OptionValues } from "./option.ts";
import type { RuntimePlace } from "./runtime-catalog.ts";

/** A stream that may be a terminal. */
export type InputStream = Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** What a shell reports for a program that a signal ended. */
export const signalExitCode: Record<StopSignal, number> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Everything a command may touch outside itself. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly home: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Calls the listener for each signal until the returned function is called. */
  onSignal(listener: (signal: StopSignal) => void): () => void;
  /** Ends the process at once. */
  exit(code: number): void;
  /** The runtimes of a server in this process. */
  readonly createRuntimes: (place: RuntimePlace) => Promise<readonly Runtime[]>;
  /** The built web app, for a server in this process. */
  readonly webRoot?: string | undefined;
}

export interface Invocation<Table extends OptionTable> extends Context {
  readonly values: OptionValues<Table>;
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

interface CommandDefinition<Table extends OptionTable> extends CommandText {
  readonly options: Table;
  readonly maxPositionals: number;
  /** Finds the configuration file of a command that takes one. */
  readonly loadConfig?: (
    values: OptionValues<Table>,
    context: Context,
  ) => Promise<ConfigFile | undefined>;
  readonly run: (invocation: Invocation<Table>) => Promise<number>;
}

/** A command of the program; `invoke` answers with the exit code. */
export interface Command extends CommandText {
  readonly options: OptionTable;
  invoke(args: readonly string[], context: Context): Promise<number>;
}

/** Ties a command's options to what it does with their values. */
export function defineCommand<const Table extends OptionTable>(
  definition: CommandDefinition<Table>,
): Command {
  const { run, maxPositionals, loadConfig, ...command } = definition;
  return {
    ...command,
    async invoke(args, context) {
      const { env } = context;
      const written = parseArguments(command.options, args, { env });
      const configFile = await loadConfig?.(written.values, context);
      const file = configFile && { path: configFile.path, texts: flagTexts(configFile) };
      const parsed = file ? parseArguments(command.options, args, { env, file }) : written;
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
