import { type Clock, systemClock } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { checkLogin } from "../sdk/check.ts";
import { claudeConfiguration } from "../sdk/configuration.ts";
import { isGrant } from "../setting/grant.ts";
import { hookEventFrom, refusalOfHook } from "../setting/hook-event.ts";
import { claudeNormalizer, type ClaudeState } from "../normalize/normalize.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { ClaudeParams } from "../sdk/options.ts";
import { checkAnswer } from "../setting/permissions.ts";
import { resumeCommand } from "../transcript/resume-command.ts";
import { sandboxProblem } from "../setting/sandbox.ts";
import {
  checkParams,
  withDefaults,
  type Runtime,
  type RuntimeCheck,
  RuntimeError,
} from "@turnwire/runtime";
import { cliCapabilities } from "./capabilities.ts";
import { DialIn } from "./dial-in.ts";
import { createDialledRun } from "./dialled-run.ts";
import { findCli } from "./program.ts";
import { StdioRuns } from "./runs.ts";

export interface ClaudeCliRuntimeOptions extends Omit<ClaudeRuntimeOptions, "warmProcesses"> {
  readonly clock?: Clock;
  /** How long a CLI that dialled in may be disconnected before it counts as lost; 60 s by default. */
  readonly returnMs?: number;
}

const CliParams = ClaudeParams.extend({
  /** Whether its CLI was started by somebody else and has dialled in. */
  is_dialled_in: z.boolean().optional(),
});

function isDialledIn(params: JsonObject | undefined): boolean {
  return params?.["is_dialled_in"] === true;
}

function notConnected(providerSessionId: string | undefined): RuntimeError {
  const resume = providerSessionId === undefined ? "" : ` --resume ${providerSessionId}`;
  return new RuntimeError(
    "not_available",
    `The Claude CLI of this session is not connected. Start it again with: claude${resume} --sdk-url …`,
  );
}

/** The `claude` program without the Agent SDK: a child of ours, or one that a person has started and that dialled in. */
export function claudeCli(options: ClaudeCliRuntimeOptions = {}): Runtime<unknown, ClaudeState> {
  const runs = new StdioRuns(options);
  const { clock = systemClock, returnMs = 60_000 } = options;
  const dialIn = new DialIn(clock, returnMs);
  return {
    name: "claude-cli",
    label: "Claude (CLI)",
    specialPurpose:
      "Runs the claude program of this machine without the Agent SDK, or a CLI that dials in.",
    capabilities: cliCapabilities(options),
    normalizer: claudeNormalizer,
    check: () => checkCli(options),
    checkSession: ({ params, hookEvents = [] }) => {
      checkParams(CliParams, params);
      hookEvents.forEach(hookEventFrom);
    },
    sandboxProblem: () => sandboxProblem(),
    checkAnswer,
    refusalOfHook,
    grantsFrom: (_request, updates) => updates.filter(isGrant),
    dialIn,
    returnMs: ({ params }) => (isDialledIn(params) ? returnMs : undefined),
    createRun: async (run) => {
      if (!isDialledIn(run.params)) return runs.createRun(withDefaults(run, options.defaults));
      const cli = run.resume === undefined ? undefined : dialIn.find(run.resume);
      if (!cli) throw notConnected(run.resume);
      return createDialledRun(cli, run, options);
    },
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
