import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "@turnwire/base";
import { unknownMode } from "@turnwire/policy";
import {
  createPolicyRuleFile,
  createProjectFile,
  createSessionHost,
  createTrustFile,
  PolicyFiles,
  type ProcessRegistry,
  type SessionHost,
  type SessionHostOptions,
  type Store,
} from "@turnwire/server";
import { CliError } from "./cli-error.ts";
import type { ServerConfiguration } from "./configuration.ts";
import { policyPath } from "./policy/policy-path.ts";
import { webAppCatalog } from "./web-app-catalog.ts";

/** The host of a server on this machine. */
export function createHost(
  configuration: ServerConfiguration,
  store: Store,
  {
    registry,
    ...ports
  }: Pick<SessionHostOptions, "runtimes" | "onError" | "logger" | "url"> & {
    readonly registry: ProcessRegistry;
  },
) {
  const { runtime, roots, ringSize, retainEvents, idleMs } = configuration;
  const { maxLiveRuns, maxSharedRuns } = configuration;
  const { dataDirectory, home, startDirectory, policyMode, hosting } = configuration;
  const { storage } = hosting;
  // Without other hosts there is no lease to lose.
  const leaseMs = store.isShared ? hosting.leaseMs : undefined;
  return createSessionHost({
    store,
    roots,
    catalog: webAppCatalog,
    trust: createTrustFile(dataDirectory, ports.onError),
    policy: new PolicyFiles({
      path: policyPath(dataDirectory),
      ...defined({ configured: configuration.policy }),
      onReport: ({ level, message }) => {
        if (ports.logger) ports.logger[level]({}, message);
        else if (level === "error") ports.onError?.(new Error(message));
      },
    }),
    ...(!store.isShared && {
      policyRules: createPolicyRuleFile(dataDirectory, ports.onError),
    }),
    projects: {
      store: createProjectFile(dataDirectory, ports.onError),
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

/** Applies what only a host can check; one that cannot serve is closed. */
export async function prepareHost(
  host: SessionHost,
  configuration: ServerConfiguration,
): Promise<void> {
  try {
    checkPolicyMode(host, configuration);
    await trustGiven(host, configuration);
  } catch (error) {
    await host.close();
    throw error;
  }
}
