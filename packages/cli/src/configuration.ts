import { stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { parsePolicy, PolicyError, type PolicyFile } from "@turnwire/policy";
import type { WorktreeSetup } from "@turnwire/protocol";
import { CliError } from "./cli-error.ts";
import type { Context } from "./command.ts";
import { logLevels } from "./log/level.ts";
import {
  choiceOption,
  flagOption,
  integerOption,
  invalidValue,
  listOption,
  type OptionValues,
  textOption,
} from "./option.ts";
import { type ConfigFile, loadConfigFile } from "./config-file.ts";
import { type SessionDefaults, sessionDefaultsFrom } from "./session-defaults.ts";
import { findClone, startDirectoryFrom } from "./start-directory.ts";

const dataText = {
  argument: "DIR",
  variable: "TURNWIRE_DATA",
  description: "The directory of sessions, token and server address (default: ~/.turnwire)",
};

const dataOption = textOption(dataText);

/** What commands need that talk to a server. */
export const connectionOptions = {
  url: textOption({
    argument: "URL",
    variable: "TURNWIRE_URL",
    description: "The server to use (default: the one running on the data directory)",
  }),
  data: dataOption,
};

export const jsonOption = flagOption({ description: "Write JSON for programs instead of text" });

export const serveOptions = {
  host: textOption({
    argument: "HOST",
    variable: "TURNWIRE_HOST",
    fallback: "127.0.0.1",
    description: "The address to listen on",
  }),
  port: integerOption({
    argument: "PORT",
    variable: "TURNWIRE_PORT",
    least: 0,
    most: 65_535,
    preset: 4747,
    description: "The port to listen on; 0 takes a free one",
  }),
  data: dataOption,
  config: textOption({
    argument: "FILE",
    variable: "TURNWIRE_CONFIG",
    description:
      "A configuration file (default: turnwire.config.json or .ts in the data directory, if there is one)",
  }),
  store: textOption({
    argument: "STORE",
    variable: "TURNWIRE_STORE",
    fallback: "sqlite",
    description: "Where the logs are kept: sqlite (a file in the data directory) or memory",
  }),
  durability: choiceOption({
    argument: "LEVEL",
    variable: "TURNWIRE_DURABILITY",
    choices: ["durable", "fast"],
    preset: "durable",
    description: "durable survives a power failure, fast only a crash of the process",
  }),
  runtime: textOption({
    argument: "NAME",
    variable: "TURNWIRE_RUNTIME",
    description:
      "The runtime of sessions that do not name one (default: the first that is connected, else demo)",
  }),
  root: listOption({
    argument: "DIR",
    variable: "TURNWIRE_ROOT",
    separator: delimiter,
    description:
      "Let agents work only in this directory; repeatable (default: in the projects that you add)",
  }),
  trust: listOption({
    argument: "DIR",
    variable: "TURNWIRE_TRUST",
    separator: delimiter,
    description:
      "Let this directory's own files configure its agents, as they are now; repeatable (see: turnwire help trust)",
  }),
  "policy-mode": textOption({
    argument: "MODE",
    variable: "TURNWIRE_POLICY_MODE",
    description:
      "The policy mode of sessions that do not name one, such as implementation (default: none; see: turnwire policy modes)",
  }),
  "no-user-settings": flagOption({
    variable: "TURNWIRE_NO_USER_SETTINGS",
    description: "Leave out your own settings in ~/.claude and ~/.codex",
  }),
  ring: integerOption({
    argument: "N",
    variable: "TURNWIRE_RING",
    least: 1,
    description: "Events kept in memory per session, the newest ones (default: 1000)",
  }),
  retain: integerOption({
    argument: "N",
    variable: "TURNWIRE_RETAIN",
    least: 1,
    description:
      "Events kept in the log per session; older ones are removed (default: all, with --store memory 10000)",
  }),
  idle: integerOption({
    argument: "MS",
    variable: "TURNWIRE_IDLE",
    least: 1,
    description: "Milliseconds without use after which a session stops its agent (default: 300000)",
  }),
  "max-live": integerOption({
    argument: "N",
    variable: "TURNWIRE_MAX_LIVE",
    least: 1,
    description: "How many agents may run at once (default: 16)",
  }),
  "webkit-replay": choiceOption({
    argument: "FROM",
    variable: "TURNWIRE_WEBKIT_REPLAY",
    choices: ["store", "ring"],
    preset: "store",
    description:
      "Where agent-webkit clients resume from: the log (store), or only what --ring keeps (ring)",
  }),
  "allow-origin": listOption({
    argument: "URL",
    variable: "TURNWIRE_ALLOW_ORIGIN",
    separator: ",",
    description: "Another site whose pages may use the server; repeatable",
  }),
  "allow-host": listOption({
    argument: "NAME",
    variable: "TURNWIRE_ALLOW_HOST",
    separator: ",",
    description: "Another host name of the server; repeatable",
  }),
  "no-auth": flagOption({
    variable: "TURNWIRE_NO_AUTH",
    description: "Accept every request from this machine; only on a loopback address",
  }),
  "log-level": choiceOption({
    argument: "LEVEL",
    variable: "TURNWIRE_LOG_LEVEL",
    choices: logLevels,
    preset: "info",
    description: "How much goes to the log on standard error: debug, info, warn, error or silent",
  }),
  json: jsonOption,
};

type ServeValues = Omit<OptionValues<typeof serveOptions>, "json">;

/** The configuration file that a server of these options uses. */
export function serverConfigFile(
  { config: given, data }: Pick<ServeValues, "config" | "data">,
  context: Place,
): Promise<ConfigFile | undefined> {
  const dataDirectory = dataDirectoryFrom(data, context);
  return loadConfigFile({ given, dataDirectory, cwd: context.cwd });
}

type StoreChoice =
  | { readonly type: "memory" }
  | { readonly type: "sqlite"; readonly path: string; readonly durability: "durable" | "fast" };

/** Everything a server needs to know, checked. */
export interface ServerConfiguration {
  readonly host: string;
  readonly port: number;
  readonly dataDirectory: string;
  readonly store: StoreChoice;
  /** Undefined: the first that is connected, else a scripted one. */
  readonly runtime: string | undefined;
  /** Where agents may work at all; none: in every project. */
  readonly roots: readonly string[];
  /** Where it was started, when that is a place to work in. */
  readonly startDirectory: string | undefined;
  readonly home: string;
  /** Directories that are trusted as they are at the start. */
  readonly trusted: readonly string[];
  /** The policy mode of sessions that name none. */
  readonly policyMode: string | undefined;
  /** What the configuration file says of the policy. */
  readonly policy: { readonly path: string; readonly data: PolicyFile } | undefined;
  /** Whether the settings of the person who runs the server apply. */
  readonly usesUserSettings: boolean;
  readonly ringSize: number | undefined;
  readonly retainEvents: number | undefined;
  readonly idleMs: number | undefined;
  readonly maxLiveRuns: number | undefined;
  readonly webkitReplay: "store" | "ring";
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly isAuthOff: boolean;
  /** What sessions are configured with, from the configuration file. */
  readonly defaults: SessionDefaults;
  /** How worktrees are prepared, from the configuration file. */
  readonly worktrees: WorktreeSetup;
  /** From the environment; without it the one in the data directory is used. */
  readonly token: string | undefined;
}

type Place = Pick<Context, "cwd" | "home">;

/** The data directory: as given, else `.turnwire` in the home directory. */
export function dataDirectoryFrom(given: string | undefined, { cwd, home }: Place): string {
  return given === undefined ? join(home, ".turnwire") : resolve(cwd, given);
}

function storeFrom(
  { store, durability }: Pick<ServeValues, "store" | "durability">,
  dataDirectory: string,
): StoreChoice {
  if (store === "memory") return { type: "memory" };
  if (store === "sqlite")
    return { type: "sqlite", path: join(dataDirectory, "turnwire.db"), durability };
  if (/^postgres(?:ql)?:/.test(store)) {
    throw new CliError(
      "not_supported",
      "This version has no Postgres store yet: use --store sqlite, or --store memory.",
    );
  }
  throw invalidValue("--store", store, "sqlite or memory");
}

async function directoryFrom(flag: string, given: string, cwd: string): Promise<string> {
  const path = resolve(cwd, given);
  const isDirectory = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isDirectory) return path;
  throw new CliError("usage", `${flag} ${given} is no directory: name one that exists.`);
}

function originFrom(given: string): string {
  const origin = URL.canParse(given) ? new URL(given).origin : "null";
  if (origin === "null") throw invalidValue("--allow-origin", given, "like https://example.com");
  return origin;
}

async function allowedHostsFrom(given: readonly string[]): Promise<readonly string[]> {
  // Loaded here: commands that only talk to a server read this file too.
  const { isHostName } = await import("@turnwire/server");
  const wrong = given.find((name) => !isHostName(name));
  if (wrong === undefined) return given;
  throw invalidValue("--allow-host", wrong, "a host name like example.com or example.com:8443");
}

/** What a memory store keeps per session when `--retain` is not set. */
const MEMORY_EVENTS = 10_000;

function retainEventsFrom(values: ServeValues): number | undefined {
  const { store, ring, retain } = values;
  if (store !== "memory") return retain;
  // Before there was --retain, --ring limited the log of a memory store too.
  if (ring !== undefined && retain === undefined && values["webkit-replay"] !== "ring") {
    throw new CliError(
      "usage",
      `--ring ${ring} does not limit the log of --store memory: use --retain ${ring} for that.`,
    );
  }
  return retain ?? MEMORY_EVENTS;
}

/** What the configuration file says of the policy; its problems are those of the file. */
export function configuredPolicy(file: ConfigFile | undefined): ServerConfiguration["policy"] {
  const policy = file?.config.policy;
  if (!file || !policy) return undefined;
  const data: PolicyFile = { version: 1, modes: policy.modes };
  try {
    parsePolicy(data);
  } catch (cause) {
    if (!(cause instanceof PolicyError)) throw cause;
    const problems = cause.problems.map((problem) => `  policy: ${problem}`).join("\n");
    throw new CliError("usage", `${file.path} is wrong:\n${problems}`, { cause });
  }
  return { path: file.path, data };
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Checks what the flags and variables say; names the one that is wrong. */
export async function serverConfigurationFrom(
  values: ServeValues,
  context: Pick<Context, "env" | "cwd" | "home"> & { readonly configFile?: ConfigFile | undefined },
): Promise<ServerConfiguration> {
  const { host } = values;
  const isAuthOff = values["no-auth"];
  if (isAuthOff && !isLoopback(host)) {
    throw new CliError(
      "usage",
      `--no-auth would accept anyone who reaches ${host}: drop it, or listen on 127.0.0.1.`,
    );
  }
  const dataDirectory = dataDirectoryFrom(values.data, context);
  return {
    host,
    port: values.port,
    dataDirectory,
    store: storeFrom(values, dataDirectory),
    runtime: values.runtime,
    roots: await Promise.all(values.root.map((root) => directoryFrom("--root", root, context.cwd))),
    startDirectory: startDirectoryFrom({ ...context, dataDirectory, clone: findClone() }),
    home: context.home,
    trusted: await Promise.all(
      values.trust.map((given) => directoryFrom("--trust", given, context.cwd)),
    ),
    policyMode: values["policy-mode"],
    policy: configuredPolicy(context.configFile),
    usesUserSettings: !values["no-user-settings"],
    ringSize: values.ring,
    retainEvents: retainEventsFrom(values),
    idleMs: values.idle,
    maxLiveRuns: values["max-live"],
    webkitReplay: values["webkit-replay"],
    allowedOrigins: values["allow-origin"].map(originFrom),
    allowedHosts: await allowedHostsFrom(values["allow-host"]),
    isAuthOff,
    defaults: sessionDefaultsFrom(context.configFile),
    worktrees: context.configFile?.config.worktrees ?? {},
    token: context.env["TURNWIRE_TOKEN"] || undefined,
  };
}
