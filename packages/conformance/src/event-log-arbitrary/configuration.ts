import type { SessionConfiguration } from "@turnwire/protocol";

/** A configuration with one agent. */
export function configurationWith(name: string): SessionConfiguration {
  const nothing = { instructions: [], skills: [], commands: [], mcp_servers: [], hooks: [] };
  return { trust: "trusted", user_settings: false, agents: [name], ...nothing };
}
