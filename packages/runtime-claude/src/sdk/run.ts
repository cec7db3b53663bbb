import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { CommandOf, ContentBlock, JsonObject } from "@turnwire/protocol";
import { detach, errorText, ignore } from "@turnwire/base";
import {
  type RequestAnswer,
  type RollbackOptions,
  type Run,
  type RunOptions,
  type TurnInput,
  RuntimeError,
} from "@turnwire/runtime";
import { callbackText } from "@turnwire/runtime/ui-tool";
import type { MessageQueue } from "@turnwire/runtime/process";
import { type Agent, endAgent, exitError } from "./agent.ts";
import { contextUsageFrom } from "./context-usage.ts";
import { effortFromName } from "../setting/effort.ts";
import { permissionSettings } from "../setting/grant.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { commandMessage, messageFromInput, steerId, turnMessageId } from "../transcript/input.ts";
import type { LostInputs } from "../transcript/lost-input.ts";
import { modeFromName } from "../setting/permissions.ts";
import { idFromPosition, type Position } from "../transcript/position.ts";
import { rewindFiles } from "./rewind-files.ts";
import { findPrompt, messageBefore, type TranscriptMessage } from "../transcript/transcript.ts";
import { SentInputs } from "./sent-inputs.ts";
import { SkillShell } from "./skill-shell.ts";
import { Title, type TitlePorts } from "../transcript/title.ts";
import type { SessionClaim } from "./session-claim.ts";
import { type Progress, progressFrom } from "./progress.ts";

export interface ClaudeRunOptions {
  readonly run: RunOptions;
  readonly position: Position | undefined;
  readonly readTranscript: (position: Position) => Promise<readonly TranscriptMessage[]>;
  /** Starts another process for the same session and waits until it is ready. */
  readonly restart: (run: RunOptions, position: Position | undefined) => Promise<Agent>;
  readonly title: TitlePorts;
  /** What the agent must hear again; absent where its record cannot be read. */
  readonly lost?: LostInputs;
  readonly messages: MessageQueue<unknown>;
  readonly claim: SessionClaim;
  /** Whether the agent is at work already, with something that an earlier run gave it. */
  readonly isBusy?: boolean;
  /** Called whenever the agent has nothing to do. */
  readonly onIdle: () => void;
}

/** A Claude process attached to a session; rollbacks replace the process, the run stays. */
export class ClaudeRun implements Run {
  readonly messages: AsyncIterable<unknown>;
  readonly #messages: MessageQueue<unknown>;
  readonly #options: ClaudeRunOptions;
  #agent: Agent;
  #run: RunOptions;
  #position: Position | undefined;
  #closing: Promise<void> | undefined;
  readonly #inputs = new SentInputs();
  /** What components said while no turn ran: the next turn brings it. */
  #callbacks: ContentBlock[] = [];
  /** Changes of model or mode on their way: the next turn waits for them. */
  #settled: Promise<unknown> = Promise.resolve();
  readonly #title: Title;
  readonly #skillShell: SkillShell;
  #isBusy: boolean;
  /** The CLI reports when it is idle; without that, a result has to do. */
  #reportsIdle = false;
  #idleWaiters: (() => void)[] = [];

  constructor(agent: Agent, options: ClaudeRunOptions) {
    this.#options = options;
    this.#messages = options.messages;
    this.messages = options.messages;
    this.#run = options.run;
    this.#title = new Title(options.title, options.run.title);
    this.#skillShell = new SkillShell(options.run.gate);
    this.#position = options.position;
    this.#isBusy = options.isBusy ?? false;
    this.#agent = agent;
    this.#follow(agent);
    if (options.run.grants) this.#settled = this.#applyGrants().catch(() => undefined);
  }

  async send(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    if (this.#inputs.hasDoomed) await this.#untilIdle();
    await this.#settled;
    const lost = await this.#options.lost?.take(this.#position);
    this.#throwIfGone();
    const { turnId: turn_id } = input;
    const uuid = turnMessageId(turn_id);
    const news = (this.#agent.news?.take() ?? []).map((text) => ({ type: "text", text }) as const);
    const content = [...(lost?.content ?? []), ...news, ...this.#callbacks, ...input.content];
    const message = messageFromInput({ ...input, content }, uuid);
    this.#callbacks = [];
    await this.#control((agent) => this.#skillShell.prepare(agent));
    this.#inject({ type: "turnwire/turn_sent", turn_id, uuid });
    if (lost) this.#inject({ type: "turnwire/notice", turn_id, text: lost.notice });
    this.#push(message);
  }

  async steer(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    this.#join(input);
  }

  async interrupt(): Promise<void> {
    // A turn may be on its way and wait for the same.
    if (!this.#isBusy) await this.#settled;
    if (!this.#isBusy || this.#messages.isEnded) return;
    this.#inject({ type: "turnwire/interrupt_sent" });
    await this.#stopTurn(this.#agent);
  }

  async answer(answer: RequestAnswer): Promise<void> {
    if (this.#agent.requests.answer(answer)) await this.interrupt();
  }

  setModel(model: string | null): Promise<void> {
    return this.#change(async () => {
      await this.#control((agent) => agent.query.setModel(model ?? undefined));
      const { model: _, ...rest } = this.#run;
      this.#run = model === null ? rest : { ...rest, model };
    });
  }

  setEffort(name: string | null): Promise<void> {
    return this.#change(async () => {
      const effortLevel = name === null ? null : effortFromName(name);
      await this.#control((agent) => agent.query.applyFlagSettings({ effortLevel }));
      const { effort: _, ...rest } = this.#run;
      this.#run = name === null ? rest : { ...rest, effort: name };
    });
  }

  setPermissionMode(name: string): Promise<void> {
    return this.#change(async () => {
      const mode = modeFromName(name);
      const run = { ...this.#run, permissionMode: mode };
      if (mode === "bypassPermissions" && !this.#agent.canBypass) await this.#replace(run);
      else await this.#control((agent) => agent.query.setPermissionMode(mode));
      this.#run = run;
    });
  }

  /** In force at once, also while a turn runs. Where the CLI does not take it, another process starts without it. */
  async setGrants(grants: readonly JsonObject[]): Promise<void> {
    this.#run = { ...this.#run, grants };
    const applied = this.#applyGrants();
    this.#settled = Promise.all([this.#settled, applied.catch(() => undefined)]);
    await applied.catch(() => this.#change(() => this.#replace(this.#run)));
  }

  async stopTask(taskId: string): Promise<void> {
    await this.#control((agent) => agent.query.stopTask(taskId));
  }

  async rename(title: string): Promise<void> {
    this.#title.set(title);
    if (!this.#isBusy) await this.#passTitle();
  }

  async compact(instructions?: string): Promise<void> {
    this.#throwIfGone();
    this.#push(commandMessage(instructions ? `/compact ${instructions}` : "/compact"));
  }

  async readContext(): Promise<void> {
    // The other detail counts with the vendor's API.
    const usage = await this.#control(({ query }) => query.getContextUsage({ detail: "summary" }));
    this.#inject({ type: "turnwire/context_usage", usage: contextUsageFrom(usage) });
  }

  async reconnectMcpServer(name: string): Promise<void> {
    const problem = await this.#control(({ query }) =>
      query.reconnectMcpServer(name).then(() => undefined, errorText),
    );
    const servers = await this.#control(({ query }) => query.mcpServerStatus());
    this.#inject({
      type: "turnwire/mcp_servers",
      server_name: name,
      ...(problem !== undefined && { problem }),
      servers: servers.map(({ name: server, status }) => ({ name: server, status })),
    });
  }

  async rollback(options: RollbackOptions): Promise<{ filesRestored?: string[] }> {
    await this.#untilIdle();
    this.#throwIfGone();
    if (!this.#position) return {};
    const { sessionId } = this.#position;
    const messages = await this.#options.readTranscript(this.#position);
    const prompt = findPrompt(messages, options);
    if (!prompt) return {};
    const filesRestored = options.files
      ? await this.#control(({ query }) => rewindFiles(query, prompt.uuid))
      : undefined;
    const after = messageBefore(messages, options)?.uuid;
    const place = after === undefined ? { isStart: true } : { after };
    await this.#replace(this.#run, { sessionId, ...place });
    return filesRestored ? { filesRestored } : {};
  }

  /** It joins the turn that runs; without one it waits for the next, because no turn was asked for. */
  async componentCallback(callback: CommandOf<"component_callback">): Promise<void> {
    this.#throwIfGone();
    const said = { type: "text", text: callbackText(callback) } as const;
    if (this.#isBusy) this.#join({ content: [said] });
    else this.#callbacks.push(said);
  }

  /** Ends the agent and everything it started. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const agent = this.#agent;
    // At the end of its input the CLI would first finish a turn that runs.
    if (this.#isBusy && !agent.isGuest) detach(agent.query.interrupt(), ignore);
    this.#messages.end();
    await endAgent(agent);
    this.#options.claim.leave();
  }

  /** Starts another process for the same session in place of this one, once that has nothing to do. */
  async #replace(run: RunOptions, at?: Position): Promise<void> {
    await this.#untilIdle();
    this.#throwIfGone();
    const position = at ?? this.#position;
    const earlier = this.#agent;
    const agent = await this.#options.restart(run, position);
    if (this.#closing) return endAgent(agent);
    this.#agent = agent;
    this.#position = position;
    this.#follow(agent);
    await this.#applyGrants();
    if (position)
      this.#inject({
        type: "turnwire/session_moved",
        provider_session_id: idFromPosition(position),
      });
    await endAgent(earlier);
  }

  async #applyGrants(): Promise<void> {
    const { grants = [] } = this.#run;
    const permissions = permissionSettings(grants, this.#run.allowedTools);
    await this.#control((agent) => agent.query.applyFlagSettings({ permissions }));
  }

  #join(input: Pick<TurnInput, "content" | "context"> & { messageId?: string }): void {
    const uuid = steerId(input.messageId);
    const message = messageFromInput(input, uuid);
    this.#inject({ type: "turnwire/steer_sent", uuid });
    this.#push(message);
  }

  async #stopTurn(agent: Agent): Promise<void> {
    const receipt = await this.#control(() => agent.query.interrupt());
    this.#inputs.interrupted(receipt?.still_queued ?? []);
  }

  /** Reads the SDK to its end: leaving its iterator early would kill the process. */
  #follow(agent: Agent): void {
    detach(this.#pump(agent), ignore);
  }

  async #pump(agent: Agent): Promise<void> {
    let error: unknown;
    try {
      for await (const message of agent.query) {
        if (agent !== this.#agent) continue;
        this.#observe(agent, progressFrom(message));
        this.#messages.push(message);
        if (this.#messages.isFull) await this.#holdBack(agent);
      }
    } catch (cause) {
      error = cause;
    }
    agent.requests.withdrawAll();
    if (agent !== this.#agent || this.#closing) return;
    this.#messages.fail(exitError(agent, error));
    this.#rest();
    await this.close();
  }

  /** A slow store holds back the CLI itself: the SDK would read on into a queue of its own. */
  async #holdBack({ output }: Agent): Promise<void> {
    output?.pause();
    await this.#messages.room();
    output?.resume();
  }

  #observe(agent: Agent, progress: Progress): void {
    switch (progress.type) {
      case "busy":
        this.#reportsIdle = true;
        this.#isBusy = true;
        break;
      case "idle":
        this.#reportsIdle = true;
        this.#onIdle();
        break;
      case "result":
        if (!this.#reportsIdle) this.#onIdle();
        break;
      case "input_started":
        if (this.#inputs.started(progress.uuid)) detach(this.#stopTurn(agent), ignore);
        break;
      case "session":
        this.#position = { sessionId: progress.sessionId };
        this.#options.claim.move(progress.sessionId);
        break;
      case "other":
    }
  }

  #onIdle(): void {
    this.#inputs.rest();
    this.#rest();
    detach(this.#passTitle(), ignore);
    this.#options.onIdle();
  }

  #passTitle(): Promise<void> {
    return this.#change(() => this.#title.pass(this.#position));
  }

  #rest(): void {
    this.#isBusy = false;
    for (const wake of this.#idleWaiters.splice(0)) wake();
  }

  async #untilIdle(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  #change(work: () => Promise<void>): Promise<void> {
    const changed = this.#settled.then(work);
    this.#settled = changed.catch(() => undefined);
    return changed;
  }

  async #control<Value>(work: (agent: Agent) => Promise<Value>): Promise<Value> {
    this.#throwIfGone();
    try {
      return await work(this.#agent);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new RuntimeError("protocol", why, { cause });
    }
  }

  #push(message: SDKUserMessage): void {
    // Until the CLI says so itself: what comes next must not overtake it.
    this.#isBusy = true;
    this.#inputs.sent(message.uuid);
    this.#agent.input.push(message);
  }

  #inject(message: RunMessage): void {
    this.#messages.push(message);
  }

  #throwIfGone(): void {
    if (this.#messages.isEnded) throw new RuntimeError("exited", "The Claude agent is gone.");
  }
}
