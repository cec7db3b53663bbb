import { integerOption, type OptionValues, textOption } from "./option.ts";

/** How a server shares a store with other hosts, and how it stops. */
export const hostingOptions = {
  "drain-seconds": integerOption({
    argument: "N",
    variable: "TURNWIRE_DRAIN_SECONDS",
    least: 0,
    most: 86_400,
    preset: 30,
    description: "When the server is stopped: how many seconds running turns get to finish",
  }),
  storage: textOption({
    argument: "NAME",
    variable: "TURNWIRE_STORAGE",
    description:
      "With several hosts on one store: a name for the directories that this host sees; hosts with the same name can run each other's sessions (default: the name of the machine)",
  }),
  "lease-seconds": integerOption({
    argument: "N",
    variable: "TURNWIRE_LEASE_SECONDS",
    least: 1,
    most: 3600,
    description:
      "With several hosts on one store: seconds without a sign of life after which other hosts take over a host's sessions (default: 10)",
  }),
};

export interface Hosting {
  /** How long running turns get to finish when the server is stopped. */
  readonly drainMs: number;
  /** A name for the directories that it sees; hosts with the same name see the same ones. */
  readonly storage: string | undefined;
  /** How long it keeps its sessions without a sign of life. */
  readonly leaseMs: number | undefined;
}

export function hostingFrom(values: OptionValues<typeof hostingOptions>): Hosting {
  const { storage, "lease-seconds": leaseSeconds } = values;
  return {
    drainMs: values["drain-seconds"] * 1000,
    storage,
    leaseMs: leaseSeconds === undefined ? undefined : leaseSeconds * 1000,
  };
}
