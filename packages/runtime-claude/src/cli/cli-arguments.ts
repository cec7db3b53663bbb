import { flagSettings } from "../setting/flag-settings.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { sessionOptions } from "../sdk/options.ts";
import type { Position } from "../transcript/position.ts";
import type { RunOptions } from "@turnwire/runtime";

/** The flags of a session, as the SDK would set them for the same options (seen with 0.3.325). */
export function cliArguments(
  options: ClaudeRuntimeOptions,
  run: RunOptions,
  position?: Position,
): string[] {
  const session = sessionOptions(options, run, position);
  const { sandbox, settingSources = [], disallowedTools = [] } = session;
  const settings = { ...flagSettings(run), ...(sandbox && { sandbox }) };
  const flags: Readonly<Record<string, string | number | undefined>> = {
    effort: typeof session.effort === "string" ? session.effort : undefined,
    "max-turns": session.maxTurns,
    "max-budget-usd": session.maxBudgetUsd,
    "json-schema": session.outputFormat && JSON.stringify(session.outputFormat.schema),
    model: session.model,
    "fallback-model": session.fallbackModel,
    resume: session.resume,
    "resume-session-at": session.resumeSessionAt,
    "permission-mode": session.permissionMode,
    "setting-sources": settingSources.join(","),
    settings: JSON.stringify(settings),
    disallowedTools: disallowedTools.length > 0 ? disallowedTools.join(",") : undefined,
  };
  return [
    "--print",
    "--verbose",
    "--input-format=stream-json",
    "--output-format=stream-json",
    "--include-partial-messages",
    "--permission-prompt-tool=stdio",
    ...(session.allowDangerouslySkipPermissions ? ["--allow-dangerously-skip-permissions"] : []),
    ...Object.entries(flags).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    ),
  ];
}
