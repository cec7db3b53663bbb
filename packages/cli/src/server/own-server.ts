import { defined } from "@turnwire/base";
import { parseArguments } from "../option/argument.ts";
import type { Context } from "../program/context.ts";
import { serverConfigFile, serverConfigurationFrom } from "../configuration/configuration.ts";
import { commandOptions } from "../option/option-table.ts";
import { type EmbeddedServer, startServer } from "./embedded-server.ts";

export interface OwnServerOptions {
  readonly data: string | undefined;
  /** Where its agents work, if that was asked for by name. */
  readonly cwd: string | undefined;
}

/** A server of a command's own, on the same data, with what the environment says about servers. */
export async function startOwnServer(
  { data, cwd }: OwnServerOptions,
  context: Context,
): Promise<EmbeddedServer> {
  const { env } = context;
  const { values: inherited } = parseArguments(commandOptions.serve, [], { env });
  const configFile = await serverConfigFile({ ...inherited, data }, context);
  const { values: defaults } = parseArguments(commandOptions.serve, [], { env, file: configFile });
  const root = defaults.root.length > 0 || cwd === undefined ? defaults.root : [cwd];
  const values = {
    ...defaults,
    root,
    port: 0,
    host: "127.0.0.1",
    ...defined({ data }),
  };
  const configuration = await serverConfigurationFrom(values, { ...context, configFile });
  return startServer(configuration, {
    createRuntimes: context.createRuntimes,
    env,
    webRoot: context.webRoot,
    onError: (error) => context.stderr.write(`turnwire: ${String(error)}\n`),
  });
}
