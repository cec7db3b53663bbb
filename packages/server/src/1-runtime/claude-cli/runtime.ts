import { checkLogin } from "../claude/check.ts";
import { claudeConfiguration } from "../claude/configuration.ts";
import { isGrant } from "../claude/grant.ts";
import { hookEventFrom, refusalOfHook } from "../claude/hook-event.ts";
import { claudeNormalizer, type ClaudeState } from "../claude/normalize.ts";
import { ClaudeParams, type ClaudeRuntimeOptions } from "../claude/options.ts";
import { checkAnswer } from "../claude/permissions.ts";
import { resumeCommand } from "../claude/resume-command.ts";
import { sandboxProblem } from "../claude/sandbox.ts";
import { checkParams } from "../params.ts";
import { withDefaults } from "../run-defaults.ts";
import type { Runtime, RuntimeCheck } from "../runtime.ts";
import { cliCapabilities } from "./capabilities.ts";
import { findCli } from "./program.ts";
import { StdioRuns } from "./runs.ts";

export type ClaudeCliRuntimeOptions = Omit<ClaudeRuntimeOptions, "warmProcesses">;

/** The `claude` program without the Agent SDK: a child of ours, or one that a person has started and that dialled in. */
export function createClaudeCliRuntime(
  options: ClaudeCliRuntimeOptions = {},
): Runtime<unknown, ClaudeState> {
  const runs = new StdioRuns(options);
  return {
    name: "claude-cli",
    label: "Claude (CLI)",
    capabilities: cliCapabilities(options),
    normalizer: claudeNormalizer,
    check: () => checkCli(options),
    checkSession: ({ params, hookEvents = [] }) => {
      checkParams(ClaudeParams, params);
      hookEvents.forEach(hookEventFrom);
    },
    sandboxProblem: () => sandboxProblem(),
    checkAnswer,
    refusalOfHook,
    grantsFrom: (_request, updates) => updates.filter(isGrant),
    createRun: (run) => runs.createRun(withDefaults(run, options.defaults)),
    resumeCommand,
    configuration: claudeConfiguration(options),
  };
}

async function checkCli(options: ClaudeCliRuntimeOptions): Promise<RuntimeCheck> {
  const program = await findCli(options);
  if (program !== undefined) return checkLogin(options, { program });
  const step = {
    text: "Install the Claude CLI",
    command: "npm install -g @anthropic-ai/claude-code",
  };
  return {
    isAvailable: false,
    problem: `The Claude CLI is not installed. ${step.text}: ${step.command}`,
    connection: { status: "not_installed", steps: [step] },
  };
}
