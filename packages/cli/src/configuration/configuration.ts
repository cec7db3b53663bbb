import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parsePolicy, PolicyError, type PolicyFile } from "@turnwire/policy";
import type { WorktreeSetup } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import { invalidValue, type OptionValues } from "../option/option.ts";
import type { settings } from "../option/option-table.ts";
import { type ConfigFile, loadConfigFile } from "./config-file.ts";
import { type SessionDefaults, sessionDefaultsFrom } from "./session-defaults.ts";
import { findClone, startDirectoryFrom } from "./start-directory.ts";
import { type StoreChoice, storeFrom } from "./store-choice.ts";
import { clientAddressFrom } from "./trusted-proxy.ts";

type ServerValues = Omit<OptionValues<typeof settings>, "relay" | "relay-port" | "log-level"> & {
  readonly data: string | undefined;
  readonly config: string | undefined;
};

/** The configuration file that a server of these options uses. */
export function serverConfigFile(
  { config: given, data }: Pick<ServerValues, "config" | "data">,
  context: Place,
): Promise<ConfigFile | undefined> {
  const dataDirectory = dataDirectoryFrom(data, context);
  return loadConfigFile({ given, dataDirectory, cwd: context.cwd });
}

/** How a server shares a store with other hosts, and how it stops. */
export interface Hosting {
  /** How long running turns get to finish when the server is stopped. */
  readonly drainMs: number;
  /** A name for the directories that it sees; hosts with the same name see the same ones. */
  readonly storage: string | undefined;
  /** How long it keeps its sessions without a sign of life. */
  readonly leaseMs: number | undefined;
}

function hostingFrom(values: ServerValues): Hosting {
  const { storage, "lease-seconds": leaseSeconds } = values;
  return {
    drainMs: values["drain-seconds"] * 1000,
    storage,
    leaseMs: leaseSeconds === undefined ? undefined : leaseSeconds * 1000,
  };
}

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
  readonly maxSharedRuns: number | undefined;
  readonly hosting: Hosting;
  readonly webkitReplay: "store" | "ring";
  readonly allowedOrigins: readonly string[];
  readonly allowedHosts: readonly string[];
  /** Who sent a request, where proxies are trusted to know it. */
  readonly clientAddress: ReturnType<typeof clientAddressFrom>;
  readonly isAuthOff: boolean;
  /** What sessions are configured with, from the configuration file. */
  readonly defaults: SessionDefaults;
  /** How worktrees are prepared, from the configuration file. */
  readonly worktrees: WorktreeSetup;
  /** From the environment; without it the one in the data directory is used. */
  readonly token: string | undefined;
}

interface Place {
  readonly cwd: string;
  readonly home: string;
}

interface ServerPlace extends Place {
  readonly env: NodeJS.ProcessEnv;
  readonly configFile?: ConfigFile | undefined;
}

/** The data directory: as given, else `.turnwire` in the home directory. */
export function dataDirectoryFrom(given: string | undefined, { cwd, home }: Place): string {
  return given === undefined ? join(home, ".turnwire") : resolve(cwd, given);
}

/** A person's own policy, next to the other files of the server. */
export function policyPath(dataDirectory: string): string {
  return join(dataDirectory, "policy.json");
}

async function directoryFrom(flag: string, given: string, cwd: string): Promise<string> {
  const path = resolve(cwd, given);
  const isDirectory = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isDirectory) return path;
  throw new CliError("usage", `${flag} ${given} does not exist or is not a directory.`);
}

function originFrom(given: string): string {
  const origin = URL.canParse(given) ? new URL(given).origin : "null";
  if (origin === "null") throw invalidValue("--allow-origin", given, "like https://example.com");
  return origin;
}

async function allowedHostsFrom(given: readonly string[]): Promise<readonly string[]> {
  // Loaded here: commands that only talk to a server read this file too.
  const { isHostName } = await import("@turnwire/server/standalone");
  const wrong = given.find((name) => !isHostName(name));
  if (wrong === undefined) return given;
  throw invalidValue("--allow-host", wrong, "a host name like example.com or example.com:8443");
}

/** What a memory store keeps per session when `--retain` is not set. */
const MEMORY_EVENTS = 10_000;

function retainEventsFrom(values: ServerValues): number | undefined {
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
    throw new CliError("usage", `Invalid configuration in ${file.path}:\n${problems}`, { cause });
  }
  return { path: file.path, data };
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Checks what the flags and variables say; names the one that is wrong. */
export async function serverConfigurationFrom(
  values: ServerValues,
  context: ServerPlace,
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
    maxSharedRuns: values["max-live-shared"],
    hosting: hostingFrom(values),
    webkitReplay: values["webkit-replay"],
    allowedOrigins: values["allow-origin"].map(originFrom),
    allowedHosts: await allowedHostsFrom(values["allow-host"]),
    clientAddress: clientAddressFrom(values["trusted-proxy"]),
    isAuthOff,
    defaults: sessionDefaultsFrom(context.configFile),
    worktrees: context.configFile?.config.worktrees ?? {},
    token: context.env["TURNWIRE_TOKEN"] || undefined,
  };
}
