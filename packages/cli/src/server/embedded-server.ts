import type { Runtime } from "@turnwire/runtime";
import { openProcessRegistry, type ProcessRegistry } from "@turnwire/runtime/process";
import { chmod, mkdir, stat } from "node:fs/promises";
import { defined, type Logger } from "@turnwire/base";
import {
  type AuthOptions,
  createTurnwireServer,
  type Listening,
  type SessionHost,
  TransportError,
  type TurnwireServer,
} from "@turnwire/server";
import { StoreError, lockDataDirectory, type ProcessLock } from "@turnwire/log";
import { relayPorts } from "@turnwire/client/relay";
import { kit } from "@turnwire/wire-kit";
import { relay, type RelayOptions, relaySearch, type RelayWire } from "@turnwire/wire-relay";
import { webkit } from "@turnwire/wire-webkit";
import type { Project, RuntimeInfo } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import { openStore } from "./opened-store.ts";
import { isLoopback, type ServerConfiguration } from "../configuration/configuration.ts";
import { createHost, prepareHost } from "./served-host.ts";
import { authFor, sentence } from "./server-auth.ts";
import { ownOptions } from "./own-command.ts";
import type { RuntimePlace } from "../program/context.ts";
import {
  findHolder,
  findRunning,
  removeAddress,
  tokenPath,
  writeAddress,
} from "../connection/server-address.ts";

export interface ServerPorts {
  readonly createRuntimes: (place: RuntimePlace) => Promise<readonly Runtime[]>;
  readonly env: NodeJS.ProcessEnv;
  /** The built web app; without it a page says what to do in a terminal. */
  readonly webRoot?: string | undefined;
  readonly onError: (error: unknown) => void;
  readonly logger?: Logger;
  /** Whether it serves people who choose agents and models later, so that the agents are asked for them ahead. */
  readonly isLongLived?: boolean;
  /** Whether another port will do where the configured one is taken. */
  readonly takesAnyPort?: boolean;
  /** The relay to open beside the server, if any. */
  readonly relay?: RelayOptions;
}

/** A server in this process. */
export interface EmbeddedServer extends Listening {
  readonly token: string | undefined;
  /** What is known of the runtimes now. */
  runtimes(): Promise<readonly RuntimeInfo[]>;
  /** The projects of the machine's owner. */
  projects(): Promise<readonly Project[]>;
  /** Undefined when the token came from the environment, or auth is off. */
  readonly tokenFile: string | undefined;
  /** A link that logs one browser in; undefined when auth is off. */
  loginUrl(): Promise<string | undefined>;
  /** Where CLIs dial in; undefined without a relay. */
  readonly relayUrl: string | undefined;
  /** Resolves when the store can never write again: the server is of no use any more. */
  readonly failed: Promise<CliError>;
  /** Begins nothing new and lets running turns end, as long as the configuration gives them; then everything is closed. */
  drain(): Promise<void>;
  /** Puts every session to sleep and closes everything. */
  close(): Promise<void>;
}

function dataInUse(dataDirectory: string, holder: string, cause?: unknown): CliError {
  return new CliError(
    "data_in_use",
    `${holder} uses the data in ${dataDirectory}: stop it, or give this one another directory with --data.`,
    { cause },
  );
}

async function prepareDataDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { mode, uid } = await stat(path);
    if (uid !== (process.getuid?.() ?? uid)) throw new Error("it belongs to another user");
    if (process.platform !== "win32" && (mode & 0o022) !== 0) {
      throw new Error(`others may write to it, mode ${(mode & 0o777).toString(8)}`);
    }
    if (process.platform !== "win32" && (mode & 0o077) !== 0) await chmod(path, 0o700);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      "data_unusable",
      `The data directory ${path} cannot be used (${reason}): correct it, or choose another with --data.`,
      { cause },
    );
  }
}

/** Before anything in the directory is written: two servers would overwrite each other's files. */
async function lockData(dataDirectory: string): Promise<ProcessLock> {
  try {
    return await lockDataDirectory(dataDirectory);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    if (cause.code === "locked") throw await dataLocked(dataDirectory, cause);
    throw new CliError("data_unusable", `${sentence(cause.message)}.`, { cause });
  }
}

async function dataLocked(dataDirectory: string, cause: unknown): Promise<CliError> {
  const holder = await findHolder(dataDirectory);
  const name = holder
    ? `The server at ${holder.url} (pid ${holder.pid}), which does not answer,`
    : "Another Turnwire";
  return dataInUse(dataDirectory, name, cause);
}

function storeFailed(cause: StoreError): CliError {
  const message = `${sentence(cause.message)}. Nothing that was acknowledged is lost: start it again.`;
  return new CliError("store_failed", message, { cause });
}

async function listen(
  server: TurnwireServer,
  { host, port }: ServerConfiguration,
  { takesAnyPort = false, relay: relayOptions }: ServerPorts,
) {
  const listenOn = async (chosen: number): Promise<Listening> => {
    try {
      return await server.listen({ host, port: chosen });
    } catch (cause) {
      if (!(cause instanceof TransportError)) throw cause;
      if (cause.code === "port_taken" && takesAnyPort && chosen !== 0) return listenOn(0);
      const message = listenProblem(cause, { host, port }, relayOptions);
      throw new CliError("port_in_use", message, { cause });
    }
  };
  return listenOn(port);
}

function listenProblem(
  { code, message }: TransportError,
  { host, port }: Pick<ServerConfiguration, "host" | "port">,
  relayOptions: RelayOptions | undefined,
): string {
  if (code === "port_taken") {
    return `Port ${port} on ${host} is taken: choose another with --port, or a free one with --port 0.`;
  }
  return code === "wire_port_taken" && relayOptions?.port !== undefined
    ? `Port ${relayOptions.port} is taken: choose another one for the relay, or leave it out.`
    : `${sentence(message)}.`;
}

function checkRuntime({ runtime }: ServerConfiguration, runtimes: readonly Runtime[]): void {
  const known = runtimes.map(({ name }) => name);
  if (runtime === undefined || known.includes(runtime)) return;
  const list = known.join(", ");
  throw new CliError("usage", `There is no runtime "${runtime}"; this version has: ${list}.`);
}

/** Ends the agents that a server before this one left running. */
async function openRegistry(
  dataDirectory: string,
  onError: ServerPorts["onError"],
): Promise<ProcessRegistry> {
  const registry = await openProcessRegistry({ dataDirectory });
  const { problem } = await registry.reapLeftovers();
  if (problem !== undefined) onError(new Error(problem));
  return registry;
}

/** What was opened so far, to be closed in the opposite order. */
class Opened {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** Closes all of it, whatever fails; then rejects with the first failure. */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Starts a server; what was opened is closed again when something fails on the way. */
export async function startServer(
  configuration: ServerConfiguration,
  ports: ServerPorts,
): Promise<EmbeddedServer> {
  const opened = new Opened();
  try {
    return await openServer(configuration, ports, opened);
  } catch (error) {
    await opened.close().catch(ports.onError);
    throw error;
  }
}

async function openServer(
  configuration: ServerConfiguration,
  ports: ServerPorts,
  opened: Opened,
): Promise<EmbeddedServer> {
  const { dataDirectory } = configuration;
  const { onError } = ports;
  await prepareDataDirectory(dataDirectory);
  const running = await findRunning(dataDirectory);
  if (running) throw dataInUse(dataDirectory, `The server at ${running.url} (pid ${running.pid})`);
  const lock = await lockData(dataDirectory);
  opened.add(() => lock.release());
  opened.add(() => removeAddress(dataDirectory, process.pid));
  const registry = await openRegistry(dataDirectory, onError);
  const runtimes = await ports.createRuntimes({
    dataDirectory,
    env: ports.env,
    ...defined({ logger: ports.logger }),
    defaults: configuration.defaults,
    usesUserSettings: configuration.usesUserSettings,
    registry,
  });
  checkRuntime(configuration, runtimes);
  let onFailed: (error: CliError) => void = () => undefined;
  const failed = new Promise<CliError>((resolve) => {
    onFailed = resolve;
  });
  const store = await openStore(configuration.store, (error) => onFailed(storeFailed(error))).catch(
    (cause: unknown) => {
      const isLocked = cause instanceof StoreError && cause.code === "locked";
      throw isLocked ? dataInUse(dataDirectory, "Another Turnwire", cause) : cause;
    },
  );
  opened.add(() => store.close());
  const auth = await authFor(configuration, store);
  let address: string | undefined;
  const host = createHost(configuration, store, {
    url: () => address,
    runtimes,
    registry,
    onError,
    ...defined({ logger: ports.logger }),
  });
  await prepareHost(host, configuration, onError);
  const relayWire = ports.relay && relay({ searchedPorts: relayPorts, ...ports.relay });
  const server = await serverFor(configuration, ports, { host, auth, relayWire });
  opened.add(() => server.close());
  const listening = await listen(server, configuration, ports);
  address = listening.url;
  await writeAddress(dataDirectory, { url: listening.url, pid: process.pid });
  if (ports.isLongLived === true) host.probeRuntimes();
  const hasTokenFile = auth.type === "token" && configuration.token === undefined;
  return {
    ...listening,
    token: auth.type === "token" ? auth.token : undefined,
    runtimes: () => host.runtimes(),
    projects: async () => (await host.projects.list({ id: "local", isAdmin: true })).projects,
    tokenFile: hasTokenFile ? tokenPath(dataDirectory) : undefined,
    loginUrl: async () => (auth.type === "token" ? server.loginUrl() : undefined),
    relayUrl: relayWire?.url,
    failed,
    drain: () => server.drain({ limitMs: configuration.hosting.drainMs }),
    close: () => opened.close(),
  };
}

/** What the login page tells everybody to type: a path of this machine only where no other can reach us. */
function publicOptions(configuration: ServerConfiguration): string | undefined {
  const { host, allowedHosts } = configuration;
  return isLoopback(host) && allowedHosts.length === 0 ? ownOptions(configuration) : undefined;
}

interface ServedParts {
  readonly host: SessionHost;
  readonly auth: AuthOptions;
  readonly relayWire: RelayWire | undefined;
}

/** A server that closes its host with itself; a host whose server cannot be made is closed here. */
async function serverFor(
  configuration: ServerConfiguration,
  { webRoot, onError, logger }: ServerPorts,
  { host, auth, relayWire }: ServedParts,
): Promise<TurnwireServer> {
  const { allowedOrigins, allowedHosts, clientAddress, webkitReplay, ringSize } = configuration;
  try {
    return await createTurnwireServer({
      host,
      auth,
      allowedOrigins,
      allowedHosts,
      wires: [
        webkit({ replay: webkitReplay, ...defined({ ringSize }) }),
        kit(),
        relayWire ?? relaySearch(relayPorts),
      ],
      ...defined({ logger, webRoot, clientAddress, cliOptions: publicOptions(configuration) }),
      onError,
    });
  } catch (error) {
    await host.close();
    throw error;
  }
}
