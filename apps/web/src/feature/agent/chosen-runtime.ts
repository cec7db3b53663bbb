import type { RuntimeInfo } from "@turnwire/protocol";

/**
 * The runtime that a new session uses: the one that the person chose last, as long as it can be used,
 * else the server's default, which is a connected agent where there is one.
 */
export function chosenRuntime(
  runtimes: readonly RuntimeInfo[],
  {
    wanted,
    isWantedNow,
  }: {
    readonly wanted: string | undefined;
    /** The person chose it on this page: it stays chosen even if it cannot be used. */
    readonly isWantedNow: boolean;
  },
): RuntimeInfo | undefined {
  return (
    runtimes.find(({ name, is_available }) => name === wanted && (is_available || isWantedNow)) ??
    runtimes.find(({ is_default }) => is_default) ??
    runtimes[0]
  );
}

/** The status of a runtime's agent, in a few words. */
export function connectionWords({ connection, is_available }: RuntimeInfo): string {
  switch (connection.status) {
    case "connected":
      return is_available ? "Connected" : "Not available";
    case "not_connected":
      return "Not connected";
    case "not_installed":
      return "Not installed";
    case "scripted":
      return "Scripted, touches nothing";
  }
}
