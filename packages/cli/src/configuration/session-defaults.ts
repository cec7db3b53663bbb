import type { CreateSession } from "@turnwire/protocol";
import type { ConfigFile } from "./config-file.ts";
import type { TurnwireConfig } from "./config-schema.ts";

type RuntimeName = keyof NonNullable<TurnwireConfig["runtimes"]>;

/** What a configuration file says of sessions. */
export type SessionDefaults = Pick<TurnwireConfig, "session" | "runtimes">;

export function sessionDefaultsFrom(file: ConfigFile | undefined): SessionDefaults {
  const { session, runtimes } = file?.config ?? {};
  return { ...(session && { session }), ...(runtimes && { runtimes }) };
}

/** What sessions of a runtime are configured with: its own part of the file goes before the general one. */
export function defaultsOf(
  { session = {}, runtimes = {} }: SessionDefaults,
  name: RuntimeName,
): CreateSession {
  const own = runtimes[name] ?? {};
  const mcp_servers = { ...session.mcp_servers, ...own.mcp_servers };
  return {
    ...session,
    ...own,
    ...(Object.keys(mcp_servers).length > 0 && { mcp_servers }),
  };
}
