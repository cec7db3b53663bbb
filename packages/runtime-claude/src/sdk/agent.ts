import type { Options, Query, SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import { systemClock } from "@turnwire/base";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import { type SupervisedProcess, MessageQueue } from "@turnwire/runtime/process";
import { unknownUi, type KnownCatalog, UiNews } from "@turnwire/runtime/ui-tool";
import { PendingRequests } from "../tool/pending-requests.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { addMcpServers } from "../tool/mcp-server.ts";
import { mirroredOptions } from "../setting/mirrored-options.ts";
import type { ClaudeRuntimeOptions } from "./runtime-options.ts";
import {
  frontendTools,
  guardedSession,
  hookEventsOf,
  hostOptions,
  sessionOptions,
  superviseCli,
  withModeAsFlag,
} from "./options.ts";
import type { Position } from "../transcript/position.ts";
import type { ClaudeSdk } from "../setting/sdk.ts";
import { ToolGuard } from "../tool/tool-guard.ts";
import { createSdkToolServer } from "../tool/sdk-tool-server.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";

/** What a run asks of a CLI, whoever speaks to it: the SDK, or we ourselves. */
export type AgentQuery = AsyncIterable<unknown> &
  Pick<
    Query,
    | "applyFlagSettings"
    | "getContextUsage"
    | "initializationResult"
    | "interrupt"
    | "mcpServerStatus"
    | "reconnectMcpServer"
    | "rewindFiles"
    | "setModel"
    | "setPermissionMode"
    | "stopTask"
  >;

/** What carries a CLI: a process of ours, or a connection that it has opened. */
export interface AgentBody {
  readonly started: Promise<unknown>;
  /** The last of what it wrote to stderr, where we can read that. */
  stderr(): string;
  stop(): Promise<unknown>;
}

/** One CLI. */
export interface Agent {
  readonly query: AgentQuery;
  readonly process: AgentBody;
  /** Holds the CLI itself back; not needed where its lines are read only as fast as they are taken. */
  readonly output?: Pick<SupervisedProcess["stdout"], "pause" | "resume">;
  readonly input: Pick<MessageQueue<SDKUserMessage>, "push" | "end">;
  readonly requests: PendingRequests;
  /** The session's UI, and what the agent knows of it; absent where it has none of our tools. */
  readonly news?: UiNews;
  /** Whether it was started in a mode that asks no one, so that it may go back to it. */
  readonly canBypass: boolean;
  /** Whether somebody else has started it: it continues its work when we let go of it. */
  readonly isGuest?: boolean;
  /** Connects the session's MCP servers. */
  readonly connect?: () => Promise<void>;
}

export interface AgentOptions {
  readonly sdk: ClaudeSdk;
  readonly runtime: ClaudeRuntimeOptions;
  readonly run: RunOptions;
  readonly position: Position | undefined;
  /** What the session's agent knows of its catalog from before. */
  readonly known: KnownCatalog;
  readonly emit: (message: RunMessage) => void;
  /** Resolves when the session has taken all that was emitted until now. */
  readonly taken: () => Promise<void>;
  /** Gets what the CLI writes down. */
  readonly mirror?: TranscriptMirror | undefined;
}

/** Starts the CLI; it is not ready to be spoken to yet. */
export function startAgent(options: AgentOptions): Agent {
  const { sdk, runtime, run, position, emit, taken } = options;
  let supervised: SupervisedProcess | undefined;
  const isGone = () => supervised?.stdout.readableEnded === true;
  const requests = new PendingRequests(emit, isGone, run.isRequestIdUsed);
  requests.workIn(run.cwd);
  const isHooked = hookEventsOf(runtime, run).includes("PreToolUse");
  const guard = new ToolGuard({ requests, emit, isHooked });
  guard.guard(guardedSession(runtime, run));
  const input = new MessageQueue<SDKUserMessage>();
  const session = sessionOptions(runtime, run, position);
  const news = new UiNews(run.ui ?? unknownUi, options.known);
  const toolServer = createSdkToolServer({
    sdk,
    requests,
    emit,
    taken,
    news: () => news,
    isFresh: position === undefined || position.isStart === true,
    tools: frontendTools(run),
  });
  const given: Options = {
    ...hostOptions(runtime, requests, { guard, toolServer, run }),
    ...withModeAsFlag(session),
    spawnClaudeCodeProcess: (spawn) => {
      const { process, child } = superviseCli(spawn, { ...runtime, sessionId: run.sessionId });
      supervised = process;
      return child;
    },
  };
  const query = sdk.query({
    prompt: input,
    options: options.mirror ? mirroredOptions(given, options.mirror) : given,
  });
  if (!supervised) throw new RuntimeError("spawn_failed", "The SDK did not start the Claude CLI.");
  const { mcpServers } = run;
  const connect = async () => {
    if (mcpServers) await addMcpServers(query, mcpServers, toolServer);
  };
  const canBypass = session.allowDangerouslySkipPermissions === true;
  const { stdout: output } = supervised;
  return { query, process: supervised, output, input, requests, news, canBypass, connect };
}

/** Waits until the agent can be spoken to. Rejects with a RuntimeError, and the process ended. */
export async function untilReady(agent: Agent, startMs: number, isResumed: boolean): Promise<void> {
  const stop = new AbortController();
  const late = systemClock.wait(startMs, stop.signal).then(() => {
    if (stop.signal.aborted) return;
    const seconds = Math.round(startMs / 1000);
    throw new RuntimeError("start_timeout", `The Claude CLI was not ready after ${seconds} s.`);
  });
  try {
    await agent.process.started;
    await Promise.race([agent.query.initializationResult(), late]);
    await agent.connect?.();
  } catch (error) {
    await endAgent(agent);
    if (error instanceof RuntimeError) throw error;
    throw startError(agent, error, isResumed);
  } finally {
    stop.abort();
  }
}

function startError(agent: Agent, cause: unknown, isResumed: boolean): RuntimeError {
  const why = describe(agent, cause);
  return isResumed
    ? new RuntimeError("resume_failed", `Claude could not resume this session: ${why}`, {
        cause,
      })
    : new RuntimeError("spawn_failed", `The Claude CLI could not start: ${why}`, { cause });
}

/** The process is gone although it was not stopped. */
export function exitError(agent: Agent, cause?: unknown): RuntimeError {
  const why = cause === undefined ? "it ended by itself." : describe(agent, cause);
  return new RuntimeError("exited", `The Claude CLI is gone: ${why}`, { cause });
}

function describe(agent: Agent, cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  const stderr = agent.process.stderr().trim().slice(-500);
  return stderr && !message.includes(stderr) ? `${message} (${stderr})` : message;
}

/** Ends the process and all that it started. Safe to call twice. */
export async function endAgent({ requests, input, process }: Agent): Promise<void> {
  requests.withdrawAll();
  input.end();
  await process.stop();
}
