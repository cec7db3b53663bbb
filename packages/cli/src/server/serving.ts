import { defined } from "@turnwire/base";
import type { RuntimeInfo } from "@turnwire/protocol";
import type { RelayOptions } from "@turnwire/wire-relay";
import { exitCode } from "../error/cli-error.ts";
import { type Context, signalExitCode, type StopSignal } from "../program/context.ts";
import type { ServerConfiguration } from "../configuration/configuration.ts";
import { type EmbeddedServer, startServer } from "./embedded-server.ts";
import type { LogLevel } from "../option/option-table.ts";
import { Redactor } from "../log/redact.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { readVersion } from "../program/version.ts";
import { welcome } from "./welcome.ts";

export interface ServingOptions {
  readonly configuration: ServerConfiguration;
  readonly logLevel: LogLevel;
  readonly isJson: boolean;
  /** Whether another port will do where the configured one is taken. */
  readonly takesAnyPort?: boolean;
  /** The relay to open beside the server, if any. */
  readonly relay?: RelayOptions | undefined;
}

/** What `--json` prints: programs rely on these names. */
async function report(
  server: EmbeddedServer,
  configuration: ServerConfiguration,
  runtimes: readonly RuntimeInfo[],
) {
  return {
    url: server.url,
    host: server.host,
    port: server.port,
    pid: process.pid,
    data: configuration.dataDirectory,
    store: configuration.store.type.replace("local-", ""),
    runtime: runtimes.find(({ is_default }) => is_default)?.name ?? null,
    login_url: (await server.loginUrl()) ?? null,
    token_file: server.tokenFile ?? null,
    version: readVersion(),
    ...(server.relayUrl !== undefined && { relay_url: server.relayUrl }),
  };
}

async function welcomeText(
  server: EmbeddedServer,
  { configuration, relay }: ServingOptions,
  { format, runtimes }: { format: Format; runtimes: readonly RuntimeInfo[] },
): Promise<string> {
  const facts = {
    version: readVersion(),
    url: server.url,
    loginUrl: await server.loginUrl(),
    tokenFile: server.tokenFile,
    relayUrl: server.relayUrl,
    isAutoApproving: relay?.isAutoApproving === true,
    runtimes,
    projects: await server.projects(),
  };
  return welcome(facts, configuration, format);
}

/** Resolves at the first signal; a second one ends the process at once. */
function firstSignal(context: Context): Promise<StopSignal> {
  return new Promise((resolve) => {
    let hasStopped = false;
    context.onSignal((signal) => {
      if (hasStopped) context.exit(signalExitCode[signal]);
      hasStopped = true;
      resolve(signal);
    });
  });
}

/** Starts a server and serves until a signal comes; answers with the exit code. */
export async function serveUntilStopped(
  context: Context,
  options: ServingOptions,
): Promise<number> {
  const { stdout, stderr, env } = context;
  const { configuration, relay, takesAnyPort = false } = options;
  const stopped = firstSignal(context);
  const redactor = new Redactor(env);
  const { createLogger } = await import("../log/logger.ts");
  const logger = createLogger({ level: options.logLevel, output: stderr, env, redactor });
  const onError = (error: unknown) => logger.error({ error }, "failure in the background");
  const server = await startServer(configuration, {
    createRuntimes: context.createRuntimes,
    env,
    webRoot: context.webRoot,
    logger,
    onError,
    isLongLived: true,
    takesAnyPort,
    ...defined({ relay }),
  });
  redactor.add(server.token);
  logger.info(
    { url: server.url, data: configuration.dataDirectory, version: readVersion() },
    "listening",
  );
  const runtimes = await server.runtimes();
  if (options.isJson)
    stdout.write(`${JSON.stringify(await report(server, configuration, runtimes))}\n`);
  else {
    const format = formatFor(stdout, env);
    stdout.write(await welcomeText(server, options, { format, runtimes }));
  }
  const failure = await Promise.race([server.failed, stopped.then(() => undefined)]);
  if (failure) {
    await server.close().catch(onError);
    throw failure;
  }
  logger.info({}, stoppingText(configuration.hosting.drainMs / 1000));
  // A store that can never write again ends no turn: nothing is worth waiting for then.
  await Promise.race([server.drain().catch(onError), server.failed]);
  await server.close();
  return exitCode.ok;
}

function stoppingText(seconds: number): string {
  const turns =
    seconds === 0
      ? "running turns are settled"
      : `running turns have up to ${seconds} s to end, no new ones start`;
  return `Stopping: ${turns}, sessions stay. A second signal stops at once.`;
}
