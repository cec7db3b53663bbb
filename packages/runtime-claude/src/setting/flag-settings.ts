import type { Settings } from "@anthropic-ai/claude-agent-sdk";
import type { RunConfiguration } from "@turnwire/runtime";
import { permissionSettings } from "./grant.ts";

/** Otherwise the CLI deletes whatever was not used for 30 days, each time it starts (2.1.325). */
const keptForDays = 36_500;

/** The inline settings of every CLI that we start. */
export function flagSettings({ allowedTools }: RunConfiguration): Settings {
  return {
    permissions: permissionSettings([], allowedTools),
    cleanupPeriodDays: keptForDays,
  };
}
