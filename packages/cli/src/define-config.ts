import type { TurnwireConfig } from "./config-schema.ts";

export type { TurnwireConfig } from "./config-schema.ts";

/** Types what a `turnwire.config.ts` exports: `export default defineConfig({ port: 4800 })`. */
export function defineConfig(config: TurnwireConfig): TurnwireConfig {
  return config;
}
