import {
  type ForkSource,
  type Runtime,
  RuntimeError,
  checkParams,
  withDefaults,
} from "@turnwire/runtime";
import { capabilitiesFor, capabilitiesFrom } from "./capabilities.ts";
import { checkClaude } from "./check.ts";
import { claudeNormalizer, type ClaudeState } from "../normalize/normalize.ts";
import { isGrant } from "../setting/grant.ts";
import { claudeConfiguration } from "./configuration.ts";
import { claudeHistory } from "./history.ts";
import { hookEventFrom, refusalOfHook } from "../setting/hook-event.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import { ClaudeParams } from "./options.ts";
import { checkAnswer } from "../setting/permissions.ts";
import { positionFromId } from "../transcript/position.ts";
import { probeClaude } from "./probe.ts";
import { resumeCommand } from "../transcript/resume-command.ts";
import { mirrorFor } from "../transcript/resumption.ts";
import { ClaudeRuns } from "./runs.ts";
import { sandboxProblem } from "../setting/sandbox.ts";
import { loadSdk } from "../setting/sdk.ts";
import { messageBefore, readTranscript } from "../transcript/transcript.ts";

export type { ClaudeRuntimeOptions } from "./runtime-options.ts";

/** Claude through its Agent SDK: one CLI process for each live session. */
export function claude(options: ClaudeRuntimeOptions = {}): Runtime<unknown, ClaudeState> {
  const runs = new ClaudeRuns(options);
  let capabilities = capabilitiesFor(options);
  return {
    name: "claude",
    label: "Claude",
    get capabilities() {
      return capabilities;
    },
    normalizer: claudeNormalizer,
    check: () => checkClaude(options),
    probe: async (signal) => {
      capabilities = capabilitiesFrom(await probeClaude(options, signal), options);
    },
    checkSession: ({ params, hookEvents = [] }) => {
      checkParams(ClaudeParams, params);
      hookEvents.forEach(hookEventFrom);
    },
    sandboxProblem: () => sandboxProblem(),
    checkAnswer,
    refusalOfHook,
    grantsFrom: (_request, updates) => updates.filter(isGrant),
    createRun: (run) => runs.createRun(withDefaults(run, options.defaults)),
    fork: (source) => forkSession(source, options),
    resumeCommand,
    history: claudeHistory(options),
    configuration: claudeConfiguration(options),
    close: () => runs.close(),
  };
}

async function forkSession(
  source: ForkSource,
  options: ClaudeRuntimeOptions,
): Promise<{ providerSessionId: string }> {
  const sdk = await loadSdk();
  const position = positionFromId(source.providerSessionId);
  const { sessionId } = position;
  const mirror = mirrorFor(options, source);
  const messages = await readTranscript(sdk, position, mirror);
  const { turnIds, turns: turnIndex } = source;
  const upToMessageId = messageBefore(messages, { turnIds, turnIndex })?.uuid;
  if (upToMessageId === undefined) {
    const why = `This host has no messages of the Claude session ${sessionId}.`;
    throw new RuntimeError("conversation_missing", why);
  }
  const place = mirror && { sessionStore: mirror };
  const copy = await sdk.forkSession(sessionId, { upToMessageId, ...place });
  return { providerSessionId: copy.sessionId };
}
