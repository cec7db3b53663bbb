import { ignore } from "@turnwire/base";
import { type Capabilities, type ModelInfo, noCapabilities } from "@turnwire/protocol";
import {
  retellConversation,
  type Run,
  type RunOptions,
  type Runtime,
  RuntimeError,
  withDefaults,
} from "@turnwire/runtime";
import { startAppServer } from "../app-server/app-server-process.ts";
import { checkCodex } from "../setting/check.ts";
import { codexConfiguration } from "../setting/configuration.ts";
import { hasThread, missingThread } from "../app-server/missing-thread.ts";
import {
  codexEfforts,
  type CodexOptions,
  type CodexRuntimeOptions,
  withHome,
} from "../setting/options.ts";
import { withModels } from "../setting/model.ts";
import { probeModels } from "../app-server/model-probe.ts";
import { resumeCommand } from "../setting/resume-command.ts";
import { setArchived } from "./archive.ts";
import { execNormalizer, type ExecState } from "./normalize.ts";
import { ExecRun } from "./run.ts";
import {
  checkExecSession,
  execAdminModes,
  execModeInfo,
  execModes,
  ExecSettings,
} from "./settings.ts";
import { TurnProcess } from "./turn-process.ts";

/** No question, no permission, no word into a running turn: only the sandbox holds the agent. */
const capabilities: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  resume: true,
  tool_policy: true,
  thinking: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  efforts: [...codexEfforts],
  session_options: ["system_prompt"],
  budgets: ["tokens", "minutes", "turns"],
  permission_modes: [...execModes],
  admin_modes: [...execAdminModes],
  mode_info: execModeInfo,
};

/** `codex exec` lists no models: an app-server does, for that moment only. */
async function readModelsOnce(options: CodexOptions): Promise<readonly ModelInfo[]> {
  const server = await startAppServer(options, { onNotification: ignore, onRequest: ignore });
  await server.stop();
  return server.models;
}

/** Codex through `codex exec`: a process for each turn, and no person to ask. */
export function codexExec(given: CodexRuntimeOptions = {}): Runtime<unknown, ExecState> {
  const options = withHome(given);
  const runs = new Set<ExecRun>();
  let known = capabilities;
  const held = new Set<string>();
  /** Its own refusal of a thread that is gone would come in the middle of a turn, and only as words for people. */
  async function resumable({ resume, conversation }: RunOptions): Promise<string | undefined> {
    if (resume === undefined || (await hasThread(options.home, resume))) return resume;
    if (!conversation) throw missingThread(resume);
    return undefined;
  }
  async function createRun(wished: RunOptions): Promise<Run> {
    const run = withDefaults(wished, options.defaults);
    const resume = await resumable(run);
    const retold =
      resume === undefined ? retellConversation((await run.conversation?.()) ?? []) : undefined;
    if (resume !== undefined && held.has(resume)) {
      throw new RuntimeError(
        "resume_failed",
        `Another session writes to the Codex thread ${resume}. Close it first.`,
      );
    }
    const settings = new ExecSettings(run, options.model);
    const created = new ExecRun({
      settings,
      resume,
      retold,
      startTurn: (turn) => TurnProcess.start(options, turn),
      onClosed: () => {
        runs.delete(created);
        if (resume !== undefined) held.delete(resume);
      },
    });
    if (resume !== undefined) held.add(resume);
    runs.add(created);
    return created;
  }
  return {
    name: "codex-exec",
    label: "Codex (exec)",
    specialPurpose:
      "Runs codex exec once per turn and never asks you: for work that runs unattended in its sandbox.",
    get capabilities() {
      return known;
    },
    normalizer: execNormalizer,
    check: () => checkCodex(options),
    probe: async () => {
      known = withModels(
        capabilities,
        await probeModels(options.home, () => readModelsOnce(options)),
      );
    },
    checkSession: checkExecSession,
    createRun,
    // Where another session has the thread, it stays.
    setArchived: async (threadId, isArchived) => {
      if (!held.has(threadId)) await setArchived(options, threadId, isArchived);
    },
    resumeCommand: (place) => resumeCommand(place, options),
    configuration: codexConfiguration(options),
    close: async () => {
      await Promise.all([...runs].map((run) => run.close()));
    },
  };
}
