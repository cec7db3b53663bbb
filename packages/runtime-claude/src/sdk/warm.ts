import type {
  Options,
  SDKUserMessage,
  SessionStore,
  SpareProcess,
} from "@anthropic-ai/claude-agent-sdk";
import { detach, ignore } from "@turnwire/base";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import { type SupervisedProcess, MessageQueue } from "@turnwire/runtime/process";
import { type KnownCatalog, UiNews, unknownUi } from "@turnwire/runtime/ui-tool";
import { type Agent, endAgent } from "./agent.ts";
import { defaultAgentsFor } from "../setting/default-agent.ts";
import { PendingRequests } from "../tool/pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { mirroredOptions } from "../setting/mirrored-options.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import {
  guardedSession,
  hookEventsOf,
  hostOptions,
  systemPromptFor,
  superviseCli,
} from "./options.ts";
import { modeFromName } from "../setting/permissions.ts";
import type { ClaudeSdk } from "../setting/sdk.ts";
import { ToolGuard } from "../tool/tool-guard.ts";
import { createSdkToolServer } from "../tool/sdk-tool-server.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";

/** A process that is started but belongs to no session yet. */
interface Spare {
  readonly process: SupervisedProcess;
  readonly handle: SpareProcess;
  readonly requests: PendingRequests;
  readonly guard: ToolGuard;
  /** Connects it with the run that claims it, and with the UI of that session. */
  readonly bind: (outlet: Outlet, news: UiNews) => Promise<void>;
}

/** Where the messages of an agent go. */
interface Outlet {
  readonly emit: (message: RunMessage) => void;
  /** Resolves when the session has taken all that was emitted until now. */
  readonly taken: () => Promise<void>;
  readonly mirror?: TranscriptMirror | undefined;
}

/** Keeps processes started ahead; who takes one makes room for the next. */
export class WarmAgents {
  readonly #options: ClaudeRuntimeOptions;
  #spares: Promise<Spare | undefined>[] = [];
  #isClosed = false;

  constructor(options: ClaudeRuntimeOptions) {
    this.#options = options;
  }

  /** Starts what is missing; better not while a first turn needs the processor. */
  fill(sdk: ClaudeSdk, isMirrored: boolean): void {
    const { warmProcesses = 0 } = this.#options;
    while (!this.#isClosed && this.#spares.length < warmProcesses) {
      const spare = this.#start(sdk, isMirrored).catch(() => undefined);
      this.#spares.push(spare);
      detach(this.#dropWhenGone(spare), ignore);
    }
  }

  /** A spare that ended before anyone took it makes room for another. */
  async #dropWhenGone(spare: Promise<Spare | undefined>): Promise<void> {
    await (
      await spare
    )?.process.exit;
    this.#spares = this.#spares.filter((other) => other !== spare);
  }

  /** An agent for a new session, or nothing when none is ready for it. */
  async take(run: RunOptions, outlet: Outlet, known: KnownCatalog): Promise<Agent | undefined> {
    if (!isClaimable(run)) return undefined;
    const spare = await this.#spares.shift();
    if (!spare) return undefined;
    const news = new UiNews(run.ui ?? unknownUi, known);
    return claim(spare, { run, news, outlet, options: this.#options });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const spares = await Promise.all(this.#spares.splice(0));
    await Promise.all(spares.flatMap((spare) => (spare ? [spare.process.stop()] : [])));
  }

  async #start(sdk: ClaudeSdk, isMirrored: boolean): Promise<Spare> {
    let outlet: Outlet = { emit: () => undefined, taken: async () => undefined };
    let news = new UiNews(unknownUi);
    let supervised: SupervisedProcess | undefined;
    const emitLater = (message: RunMessage): void => outlet.emit(message);
    const requests = new PendingRequests(
      emitLater,
      () => supervised?.stdout.readableEnded === true,
    );
    const isHooked = hookEventsOf(this.#options).includes("PreToolUse");
    const guard = new ToolGuard({ requests, emit: emitLater, isHooked });
    const toolServer = createSdkToolServer({
      sdk,
      requests,
      emit: emitLater,
      taken: () => outlet.taken(),
      news: () => news,
      isFresh: true,
    });
    const given: Options = {
      ...hostOptions(this.#options, requests, { guard, toolServer }),
      permissionMode: "default",
      systemPrompt: systemPromptFor(undefined),
      spawnClaudeCodeProcess: (spawn) => {
        const { process, child } = superviseCli(spawn, this.#options);
        supervised = process;
        return child;
      },
    };
    const options = isMirrored
      ? mirroredOptions(
          given,
          laterMirror(() => outlet.mirror),
        )
      : given;
    const handle = await sdk.prewarm({ options });
    detach(handle.claimed, ignore);
    if (!supervised)
      throw new RuntimeError("spawn_failed", "The SDK did not start the Claude CLI.");
    const bind = async (to: Outlet, ownNews: UiNews): Promise<void> => {
      outlet = to;
      news = ownNews;
      // It has listed our tools already, without what this session's UI can show.
      if (news.ui.catalog().length > 0) await toolServer.instance.server.sendToolListChanged();
    };
    const spare = { process: supervised, handle, requests, guard, bind };
    if (this.#isClosed) await supervised.stop();
    return spare;
  }
}

/** Writes nothing before there is a session. */
function laterMirror(mirror: () => TranscriptMirror | undefined): SessionStore {
  return {
    append: async (key, entries) => mirror()?.append(key, entries),
    load: async () => null,
  };
}

/** What a claim cannot set needs a process of its own. */
function isClaimable(run: RunOptions): boolean {
  const { params = {}, effort, mcpServers, allowedTools, disallowedTools, hookEvents } = run;
  const fixed = [run.resume, effort, mcpServers, allowedTools, disallowedTools, hookEvents];
  const isPlain =
    fixed.every((value) => value === undefined) &&
    run.maxTurns === undefined &&
    run.outputSchema === undefined;
  const isAppended = run.systemPrompt?.mode !== "replace";
  const hasParams = Object.keys(params).length > 0;
  if (run.sandbox) return false;
  // It was started without the project's settings, and reads none later.
  if (run.project?.isTrusted) return false;
  return isPlain && isAppended && !hasParams && run.permissionMode !== "bypassPermissions";
}

interface Claim {
  readonly run: RunOptions;
  readonly news: UiNews;
  readonly outlet: Outlet;
  readonly options: ClaudeRuntimeOptions;
}

async function claim(
  { process, handle, requests, guard, bind }: Spare,
  { run, news, outlet, options }: Claim,
): Promise<Agent | undefined> {
  requests.workIn(run.cwd);
  guard.guard(guardedSession(options, run));
  const input = new MessageQueue<SDKUserMessage>();
  const model = run.model ?? options.model;
  try {
    await bind(outlet, news);
    const query = handle.claim({
      prompt: input,
      options: {
        cwd: run.cwd,
        permissionMode: modeFromName(run.permissionMode ?? "default"),
        agents: defaultAgentsFor(run),
        ...(model !== undefined && { model }),
        ...(run.systemPrompt && { appendSystemPrompt: run.systemPrompt.text }),
      },
    });
    const { stdout: output } = process;
    const agent = { query, process, output, input, requests, news, canBypass: false };
    return await handle.claimed.then(
      () => agent,
      async () => {
        await endAgent(agent);
        return undefined;
      },
    );
  } catch {
    // It died while it waited: a process of its own will do.
    await process.stop();
    return undefined;
  }
}
