import type { RuntimeInfo } from "@turnwire/protocol";
import { type Context, defineCommand, signalExitCode, type StopSignal } from "../command.ts";
import {
  type ServerConfiguration,
  serverConfigFile,
  serveOptions,
  serverConfigurationFrom,
} from "../configuration.ts";
import { exitCode } from "../cli-error.ts";
import { type EmbeddedServer, startServer } from "../embedded-server.ts";
import { Redactor } from "../log/redact.ts";
import { welcome } from "../serve/welcome.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { readVersion } from "../version.ts";

/** What `--json` prints: programs rely on these names. */
function report(
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
    store: configuration.store.type,
    runtime: runtimes.find(({ is_default }) => is_default)?.name ?? null,
    login_url: server.loginUrl() ?? null,
    token_file: server.tokenFile ?? null,
    version: readVersion(),
  };
}

async function welcomeText(
  server: EmbeddedServer,
  configuration: ServerConfiguration,
  { format, runtimes }: { format: Format; runtimes: readonly RuntimeInfo[] },
): Promise<string> {
  const facts = {
    version: readVersion(),
    url: server.url,
    loginUrl: server.loginUrl(),
    tokenFile: server.tokenFile,
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

export const serve = defineCommand({
  name: "serve",
  summary: "Start the server (the default command)",
  usage: ["serve [options]", "[options]"],
  details:
    "Listens on this machine only, unless --host names another address. The token is in TURNWIRE_TOKEN, or in the file token of the data directory, which only you can read. With --json, standard output gets exactly one line when the server is ready; everything else goes to standard error.",
  options: serveOptions,
  loadConfig: serverConfigFile,
  maxPositionals: 0,
  examples: [
    { command: "turnwire", meaning: "Serve on http://127.0.0.1:4747" },
    { command: "turnwire serve --root ~/code --root ~/notes", meaning: "Let agents work there" },
    {
      command: "turnwire serve --port 0 --store memory --json",
      meaning: "For tests: a free port, nothing stored, one line of JSON",
    },
  ],
  async run({ values, ...context }) {
    const { stdout, stderr } = context;
    const configuration = await serverConfigurationFrom(values, context);
    const stopped = firstSignal(context);
    const { env } = context;
    const redactor = new Redactor(env);
    const { createLogger } = await import("../log/logger.ts");
    const logger = createLogger({ level: values["log-level"], output: stderr, env, redactor });
    const onError = (error: unknown) => logger.error({ error }, "failure in the background");
    const server = await startServer(configuration, {
      createRuntimes: context.createRuntimes,
      env,
      webRoot: context.webRoot,
      logger,
      onError,
      isLongLived: true,
    });
    redactor.add(server.token);
    logger.info(
      { url: server.url, data: configuration.dataDirectory, version: readVersion() },
      "listening",
    );
    const runtimes = await server.runtimes();
    if (values.json) stdout.write(`${JSON.stringify(report(server, configuration, runtimes))}\n`);
    else {
      const format = formatFor(stdout, context.env);
      stdout.write(await welcomeText(server, configuration, { format, runtimes }));
    }
    const failure = await Promise.race([server.failed, stopped.then(() => undefined)]);
    if (failure) {
      await server.close().catch(onError);
      throw failure;
    }
    logger.info(
      {},
      "Stopping: running turns are settled, sessions stay. A second signal stops at once.",
    );
    await server.close();
    return exitCode.ok;
  },
});
