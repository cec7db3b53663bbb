import { withDefaults, type Runtime } from "@turnwire/runtime";
import { checkAnswer, grantsFrom } from "../protocol/answer.ts";
import { codexCapabilities } from "../setting/capabilities.ts";
import { checkCodex } from "../setting/check.ts";
import { codexConfiguration } from "../setting/configuration.ts";
import { callsFromPermission } from "../gate/gated-call.ts";
import { createCodexHistory } from "./history.ts";
import { withModels } from "../setting/model.ts";
import { probeModels } from "./model-probe.ts";
import { codexNormalizer, type CodexState } from "../normalize/normalize.ts";
import { type CodexRuntimeOptions, withHome } from "../setting/options.ts";
import { checkSession } from "../setting/turn-settings.ts";
import { resumeCommand } from "../setting/resume-command.ts";
import { CodexRuns } from "./runs.ts";

export type { CodexRuntimeOptions } from "../setting/options.ts";

/** Codex through its app-server: one process for all sessions, a thread for each. */
export function codex(given: CodexRuntimeOptions = {}): Runtime<unknown, CodexState> {
  const options = withHome(given);
  const runs = new CodexRuns(options);
  let capabilities = codexCapabilities;
  return {
    name: "codex",
    label: "Codex",
    get capabilities() {
      return capabilities;
    },
    normalizer: codexNormalizer,
    check: () => checkCodex(options),
    probe: async () => {
      const read = async () => (await runs.connect()).process.models;
      capabilities = withModels(codexCapabilities, await probeModels(options.home, read));
    },
    checkSession,
    checkAnswer,
    grantsFrom,
    gatedCalls: callsFromPermission,
    createRun: (run) => runs.createRun(withDefaults(run, options.defaults)),
    fork: (source) => runs.fork(source),
    setArchived: (threadId, isArchived) => runs.setArchived(threadId, isArchived),
    resumeCommand: (place) =>
      runs.isFree(place.providerSessionId) ? resumeCommand(place, options) : undefined,
    history: createCodexHistory({
      runtime: options,
      connect: () => runs.connect(),
    }),
    configuration: codexConfiguration(options),
    close: () => runs.close(),
  };
}
