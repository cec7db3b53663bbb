import type {
  ElicitationResult,
  McpSdkServerConfigWithInstance,
  Options,
  SpawnOptions,
} from "@anthropic-ai/claude-agent-sdk";
import { frontendToolsSchema, type JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import {
  paramsFrom,
  type RunConfiguration,
  type RunOptions,
  RuntimeError,
} from "@turnwire/runtime";
import { SupervisedProcess } from "@turnwire/runtime/process";
import { type ServedTool, uiToolNames } from "@turnwire/runtime/ui-tool";
import type { PendingRequests } from "../tool/pending-requests.ts";
import { ClaudeChildProcess } from "./child-process.ts";
import { defaultAgentsFor } from "../setting/default-agent.ts";
import { claudeContainment } from "../setting/containment.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import { effortFromName } from "../setting/effort.ts";
import { servedFromFrontend } from "../tool/frontend-tool.ts";
import { flagSettings } from "../setting/flag-settings.ts";
import { hookEventFrom } from "../setting/hook-event.ts";
import { bypassProblem, modeFromName } from "../setting/permissions.ts";
import type { Position } from "../transcript/position.ts";
import { sandboxOptions } from "../setting/sandbox.ts";
import type { GuardedSession, ToolGuard } from "../tool/tool-guard.ts";
import type { ClaudeToolCall } from "../tool/tool-server.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { toolServerName } from "../setting/tool-server-name.ts";

export const ClaudeParams = z.object({
  max_budget_usd: z.number().positive().optional(),
  fallback_model: z.string().optional(),
  /** They are served beside ours; the CLI's own have no prefix and cannot be mistaken for them. */
  frontend_tools: frontendToolsSchema(uiToolNames).optional(),
});

const day = 24 * 60 * 60;

interface HostParts {
  readonly guard: ToolGuard;
  readonly toolServer: McpSdkServerConfigWithInstance;
  /** The session that the process is for; none yet where it is started ahead. */
  readonly run?: RunConfiguration;
}

/** What is fixed when a process starts. */
export function hostOptions(
  options: ClaudeRuntimeOptions,
  requests: PendingRequests,
  { guard, toolServer, run = {} }: HostParts,
): Options {
  const { executable, settingSources = [] } = options;
  return {
    env: claudeEnvironment(options.env),
    settingSources: [...settingSources],
    includePartialMessages: true,
    forwardSubagentText: true,
    enableFileCheckpointing: true,
    canUseTool: guard.canUseTool,
    // Our answer is that of MCP: its content has values that JSON can carry.
    onElicitation: async (asked, { signal }) =>
      (await requests.elicit(asked, signal)) as ElicitationResult,
    mcpServers: { [toolServerName]: toolServer },
    settings: flagSettings(run),
    hooks: { ...hooksFor(hookEventsOf(options, run), requests), ...guardHooks(guard) },
    ...(executable !== undefined && { pathToClaudeCodeExecutable: executable }),
  };
}

/** The events that a person decides about. */
export function hookEventsOf(options: ClaudeRuntimeOptions, run: RunConfiguration = {}): string[] {
  return [...new Set([...(options.hookEvents ?? []), ...(run.hookEvents ?? [])])];
}

/** In every session: a policy may be set while it runs. It also asks the person who decides about the same event. */
function guardHooks(guard: ToolGuard): NonNullable<Options["hooks"]> {
  return { PreToolUse: [{ hooks: [guard.preToolUse], timeout: 20 * day, onFailure: "block" }] };
}

/** A person may take a day to answer a hook: our own expiry comes first. */
function hooksFor(
  events: readonly string[],
  requests: PendingRequests,
): NonNullable<Options["hooks"]> {
  return Object.fromEntries(
    events.map((name) => [hookEventFrom(name), [{ hooks: [requests.hook], timeout: day }]]),
  );
}

/** What one session adds: its directory, model, mode, prompt, and where it continues. */
export function sessionOptions(
  options: ClaudeRuntimeOptions,
  run: RunOptions,
  position?: Position,
): Options {
  const model = run.model ?? options.model;
  return {
    cwd: run.cwd,
    settingSources: settingSourcesFor(options, run),
    ...modeOptions(options, run.permissionMode ?? "default"),
    ...(model !== undefined && { model }),
    systemPrompt: systemPromptFor(run.systemPrompt),
    agents: defaultAgentsFor(run),
    ...resumeOptions(position),
    ...(run.effort !== undefined && { effort: effortFromName(run.effort) }),
    ...(run.outputSchema && {
      outputFormat: { type: "json_schema", schema: run.outputSchema },
    }),
    ...(run.maxTurns !== undefined && { maxTurns: run.maxTurns }),
    ...(run.disallowedTools && { disallowedTools: [...run.disallowedTools] }),
    ...sandboxOptions(run),
    ...paramOptions(run.params),
  };
}

/** Without `project` and `local` the CLI reads nothing of a project: neither instructions nor anything that runs. */
function settingSourcesFor({ settingSources = [] }: ClaudeRuntimeOptions, run: RunOptions) {
  const sources = new Set([...settingSources, ...(run.project?.isTrusted ? projectSources : [])]);
  return [...sources];
}

export function guardedSession(options: ClaudeRuntimeOptions, run: RunOptions): GuardedSession {
  return {
    gate: run.gate,
    hasOtherHooks: settingSourcesFor(options, run).length > 0,
    // A sandbox within the CLI's own one cannot be made.
    containment: run.sandbox ? undefined : claudeContainment(options),
  };
}

const projectSources = ["project", "local"] as const;

/** Claude Code's own prompt, with what a session adds to it or puts in its place. */
export function systemPromptFor(
  prompt: RunOptions["systemPrompt"],
): NonNullable<Options["systemPrompt"]> {
  if (prompt?.mode === "replace") return prompt.text;
  const preset = { type: "preset", preset: "claude_code" } as const;
  return prompt ? { ...preset, append: prompt.text } : preset;
}

function modeOptions(options: ClaudeRuntimeOptions, name: string): Options {
  const permissionMode = modeFromName(name);
  if (permissionMode !== "bypassPermissions") return { permissionMode };
  const problem = bypassProblem(claudeEnvironment(options.env));
  if (problem !== undefined) {
    throw new RuntimeError("not_available", `bypassPermissions cannot be used: ${problem}.`);
  }
  return { permissionMode, allowDangerouslySkipPermissions: true };
}

/**
 * The same options with the mode as a flag of the CLI. As an option of the SDK, `bypassPermissions`
 * makes it warn in each session that `canUseTool` will not be called (0.3.325); but the CLI still
 * calls it for questions, and for tools once the person chooses another mode.
 */
export function withModeAsFlag({ permissionMode, extraArgs, ...rest }: Options): Options {
  if (permissionMode === undefined) return { ...rest, ...(extraArgs && { extraArgs }) };
  return { ...rest, extraArgs: { ...extraArgs, "permission-mode": permissionMode } };
}

function resumeOptions(position: Position | undefined): Options {
  if (!position || position.isStart) return {};
  const { sessionId, after } = position;
  return { resume: sessionId, ...(after !== undefined && { resumeSessionAt: after }) };
}

/** The tools that a session declares for its UI to perform. */
export function frontendTools({ params }: RunOptions): ServedTool<ClaudeToolCall>[] {
  return (paramsFrom(ClaudeParams, params).frontend_tools ?? []).map(servedFromFrontend);
}

function paramOptions(source: JsonObject | undefined): Options {
  const { max_budget_usd, fallback_model } = paramsFrom(ClaudeParams, source);
  return {
    ...(max_budget_usd !== undefined && { maxBudgetUsd: max_budget_usd }),
    ...(fallback_model !== undefined && { fallbackModel: fallback_model }),
  };
}

/** Starts the CLI under supervision, as the SDK asks for it. */
export function superviseCli(
  { command, args, cwd, env }: SpawnOptions,
  options: ClaudeRuntimeOptions & { readonly sessionId?: string },
): { process: SupervisedProcess; child: ClaudeChildProcess } {
  const { registry, limits, sessionId, logger } = options;
  const set = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const supervised = new SupervisedProcess({
    command,
    args,
    cwd: cwd ?? process.cwd(),
    env: Object.fromEntries(set),
    ...(sessionId !== undefined && { sessionId }),
    ...(registry && { registry }),
    ...(logger && { logger }),
    ...(limits && { limits }),
  });
  return { process: supervised, child: new ClaudeChildProcess(supervised) };
}
