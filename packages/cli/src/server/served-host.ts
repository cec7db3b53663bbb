import { createProjectFile, createTrustFile } from "@turnwire/workspace";
import type { ProcessRegistry } from "@turnwire/runtime/process";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "@turnwire/base";
import { unknownMode } from "@turnwire/policy";
import { createSessionHost, type SessionHost, type SessionHostOptions } from "@turnwire/server";
import type { Store } from "@turnwire/log";
import {
  createAuditFile,
  createPolicyRuleFile,
  createSharedPlaces,
  PolicyFiles,
} from "@turnwire/server/standalone";
import { CliError } from "../error/cli-error.ts";
import { policyPath, type ServerConfiguration } from "../configuration/configuration.ts";
import { webAppCatalog } from "./web-app-catalog.ts";

/** The host of a server on this machine. */
export function createHost(
  configuration: ServerConfiguration,
  store: Store,
  {
    registry,
    ...ports
  }: Pick<SessionHostOptions, "runtimes" | "logger" | "url"> & {
    readonly registry: ProcessRegistry;
    readonly onError: (error: unknown) => void;
  },
) {
  const { runtime, roots, ringSize, retainEvents, idleMs } = configuration;
  const { maxLiveRuns, maxSharedRuns } = configuration;
  const { dataDirectory, home, startDirectory, policyMode, hosting } = configuration;
  const { storage } = hosting;
  // Without other hosts there is no lease to lose.
  const leaseMs = store.isShared ? hosting.leaseMs : undefined;
  const places = store.isShared
    ? createSharedPlaces(store, { ...defined({ storage }), onError: ports.onError })
    : placeFiles(dataDirectory, ports.onError);
  return createSessionHost({
    store,
    audit: createAuditFile(dataDirectory),
    roots,
    catalog: webAppCatalog,
    trust: places.trust,
    policy: new PolicyFiles({
      path: policyPath(dataDirectory),
      ...defined({ configured: configuration.policy }),
      onReport: ({ level, message }) => {
        if (ports.logger) ports.logger[level]({}, message);
        else if (level === "error") ports.onError(new Error(message));
      },
    }),
    ...(!store.isShared && {
      policyRules: createPolicyRuleFile(dataDirectory, ports.onError),
    }),
    projects: {
      store: places.projects,
      dataDirectory,
      home,
      ...defined({ startDirectory }),
    },
    worktrees: {
      ...configuration.worktrees,
      directory: join(dataDirectory, "worktrees"),
      registry,
    },
    ...defined({ defaultRuntime: runtime, ringSize, retainEvents, idleMs }),
    ...defined({ maxLiveRuns, maxSharedRuns }),
    ...defined({ defaultPolicyMode: policyMode, storage, leaseMs }),
    ...ports,
  });
}

/** The projects and the trusted directories of a server that shares them with no other. */
function placeFiles(dataDirectory: string, onError: (error: unknown) => void) {
  return {
    projects: createProjectFile(dataDirectory, onError),
    trust: createTrustFile(dataDirectory, onError),
  };
}

/** A mode that no session could have would refuse all of them. */
function checkPolicyMode(host: SessionHost, { policyMode, dataDirectory }: ServerConfiguration) {
  const { policy } = host.policy.current(dataDirectory);
  if (policyMode === undefined || policy.modes.has(policyMode)) return;
  throw new CliError("usage", `--policy-mode: ${unknownMode(policy, policyMode)}`);
}

/** What `--trust` names is trusted as it is now; a later change ends that. */
async function trustGiven(host: SessionHost, { trusted }: ServerConfiguration): Promise<void> {
  for (const given of trusted) {
    const path = await realpath(given);
    const { digest, status } = await host.trust.get(path);
    const result = status === "none" ? undefined : await host.trust.set(path, digest);
    if (result && !result.ok) throw new CliError("usage", `--trust: ${result.error.message}`);
  }
}

/**
 * What was added or trusted in the data directory, as by `turnwire trust` while no server ran, goes to
 * the store that hosts share. What is refused by now, as it would be there too, is left out.
 */
async function moveToStore(
  host: SessionHost,
  { dataDirectory }: ServerConfiguration,
  onError: (error: unknown) => void,
): Promise<void> {
  const { projects, trust } = placeFiles(dataDirectory, onError);
  const added = await projects.load();
  const trusted = await trust.load();
  for (const { path } of added.toReversed()) await host.projects.add(path);
  for (const { path, digest } of trusted) await host.trust.set(path, digest);
  if (added.length > 0) await projects.save([], added);
  if (trusted.length > 0) await trust.save([], trusted);
}

/** Applies what only a host can check; one that cannot serve is closed. */
export async function prepareHost(
  host: SessionHost,
  configuration: ServerConfiguration,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    checkPolicyMode(host, configuration);
    if (host.sharing.isShared) await moveToStore(host, configuration, onError);
    await trustGiven(host, configuration);
  } catch (error) {
    await host.close();
    throw error;
  }
}
