import type { WrittenConfig } from "./config-schema.ts";

export type { TurnwireConfig, WrittenConfig } from "./config-schema.ts";

/** Types what a `turnwire.config.ts` exports: `export default defineConfig({ port: 4800 })`. */
export function defineConfig(config: WrittenConfig): WrittenConfig {
  return config;
}
