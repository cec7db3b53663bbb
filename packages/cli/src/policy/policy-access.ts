import { existsSync } from "node:fs";
import { join } from "node:path";
import { defined, systemClock } from "@turnwire/base";
import type { PolicyApi } from "@turnwire/client";
import { defaultPolicy, type Policy } from "@turnwire/policy";
import { PolicyRuleInput, type Result } from "@turnwire/protocol";
import type { Policies } from "@turnwire/server/standalone";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";
import {
  configuredPolicy,
  dataDirectoryFrom,
  policyPath,
  serverConfigFile,
} from "../configuration/configuration.ts";
import { lockDataFor } from "../connection/data-lock.ts";
import { clientFor, findServer } from "../connection/server-address.ts";

/** The policy of a data directory, through its server or without one. */
export interface PolicyAccess extends Pick<PolicyApi, "get" | "addRule" | "removeRule"> {
  close(): void;
}

interface PolicyPlace {
  readonly url: string | undefined;
  readonly data: string | undefined;
}

const local = { id: "local", isAdmin: true };

/** With a server running, through it, so that running sessions learn of a change. */
export async function openPolicy(place: PolicyPlace, context: Context): Promise<PolicyAccess> {
  const dataDirectory = dataDirectoryFrom(place.data, context);
  const server = await findServer({ url: place.url, dataDirectory, env: context.env });
  if (server) {
    const { policy } = clientFor(server);
    return {
      get: (query) => policy.get(query),
      addRule: (rule) => policy.addRule(rule),
      removeRule: (id) => policy.removeRule(id),
      close: () => undefined,
    };
  }
  const lock = await lockDataFor(dataDirectory);
  const policies = await openLocalPolicies(place, context);
  return {
    get: ({ path } = {}) => policies.describe(path, local),
    async addRule(rule) {
      const parsed = PolicyRuleInput.safeParse(rule);
      if (!parsed.success)
        throw new CliError("usage", "This is not a rule.", { cause: parsed.error });
      return valueOf(await policies.rules.add(parsed.data, local.id)).rule;
    },
    removeRule: async (id) => valueOf(await policies.rules.remove(id)),
    close() {
      policies.close();
      lock.release();
    },
  };
}

function valueOf<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new CliError("usage", result.error.message);
}

/** The policy that a server on this data would have, without a server. */
async function openLocalPolicies(
  { data }: Pick<PolicyPlace, "data">,
  context: Context,
): Promise<Policies> {
  // Loaded here: with a server running nothing of it is needed.
  const [{ createPolicyRuleFile, Policies, PolicyFiles }, { createTrustFile, TrustedDirectories }] =
    await Promise.all([import("@turnwire/server/standalone"), import("@turnwire/workspace")]);
  const dataDirectory = dataDirectoryFrom(data, context);
  const configFile = await serverConfigFile({ config: undefined, data }, context);
  const runtimes = await context.createRuntimes({ dataDirectory, env: context.env });
  const trust = new TrustedDirectories({
    store: createTrustFile(dataDirectory),
    runtimes,
    clock: systemClock,
  });
  const source = new PolicyFiles({
    path: policyPath(dataDirectory),
    ...defined({ configured: configuredPolicy(configFile) }),
  });
  return new Policies({
    policy: source,
    policyRules: createPolicyRuleFile(dataDirectory),
    clock: systemClock,
    assess: (cwd) => trust.assess(cwd),
  });
}

/** The policy in force in a directory, by the files of this machine. */
export async function policyInForce(
  place: Pick<PolicyPlace, "data">,
  context: Context,
  directory: string,
): Promise<Policy> {
  const dataDirectory = dataDirectoryFrom(place.data, context);
  const files = [
    ...["policy.json", "policy-rules.json", "turnwire.config.ts", "turnwire.config.json"].map(
      (name) => join(dataDirectory, name),
    ),
    ...directoriesFrom(directory).map((above) => join(above, ".turnwire", "policy.json")),
  ];
  if (!files.some((file) => existsSync(file))) return defaultPolicy();
  const policies = await openLocalPolicies(place, context);
  try {
    await policies.prepare(directory);
    return policies.current(directory).policy;
  } finally {
    policies.close();
  }
}

/** A directory and those above it. */
function directoriesFrom(directory: string): string[] {
  const names = directory.split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/") || "/");
}
