import { detach } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";
import { spawnAgentProcess, MessageQueue } from "@turnwire/runtime/process";
import { type RunOptions, RuntimeError } from "@turnwire/runtime";
import { type KnownCatalog, UiNews, unknownUi } from "@turnwire/runtime/ui-tool";
import type { Agent } from "../sdk/agent.ts";
import { claudeEnvironment } from "../setting/environment.ts";
import { addMcpServers } from "../tool/mcp-server.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { frontendTools, guardedSession, hookEventsOf } from "../sdk/options.ts";
import { mirroredEnvironment } from "../setting/mirrored-options.ts";
import { PendingRequests } from "../tool/pending-requests.ts";
import { progressFrom } from "../sdk/progress.ts";
import type { Position } from "../transcript/position.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { ToolServer } from "../tool/tool-server.ts";
import { ToolGuard } from "../tool/tool-guard.ts";
import { toolServerName } from "../setting/tool-server-name.ts";
import type { TranscriptMirror } from "../transcript/transcript-mirror.ts";
import { answerAgent } from "./agent-answer.ts";
import { cliArguments } from "./cli-arguments.ts";
import { CliQuery } from "./cli-query.ts";
import { ControlChannel, controlMessageFrom } from "./control-channel.ts";
import { initializeRequest } from "./initialize.ts";
import { parsedLine } from "./line.ts";
import { MirrorFrames } from "./mirror-frames.ts";
import { cliProgram } from "./program.ts";
import { ToolMessages } from "./tool-messages.ts";

export interface StdioAgentOptions {
  readonly runtime: ClaudeRuntimeOptions;
  readonly run: RunOptions;
  readonly position: Position | undefined;
  /** What the session's agent knows of its catalog from before. */
  readonly known: KnownCatalog;
  readonly emit: (message: RunMessage) => void;
  /** Resolves when the session has taken all that was emitted until now. */
  readonly taken: () => Promise<void>;
  /** Gets what the CLI writes down. */
  readonly mirror: TranscriptMirror | undefined;
}

/** Starts the CLI as a child that speaks stream-json; it is not ready to be spoken to yet. */
export async function startStdioAgent(options: StdioAgentOptions): Promise<Agent> {
  const { runtime, run, position, known, emit, taken, mirror } = options;
  const args = [...cliArguments(runtime, run, position), ...(mirror ? ["--session-mirror"] : [])];
  const { registry, limits, logger } = runtime;
  const process = await spawnAgentProcess({
    command: await cliProgram(runtime),
    args,
    cwd: run.cwd,
    env: {
      ...claudeEnvironment(runtime.env),
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "true",
      ...(mirror && mirroredEnvironment),
    },
    sessionId: run.sessionId,
    ...(registry && { registry }),
    ...(limits && { limits }),
    ...(logger && { logger }),
  });
  let isGone = false;
  const requests = new PendingRequests(emit, () => isGone, run.isRequestIdUsed);
  requests.workIn(run.cwd);
  const isHooked = hookEventsOf(runtime, run).includes("PreToolUse");
  const guard = new ToolGuard({ requests, emit, isHooked });
  guard.guard(guardedSession(runtime, run));
  const news = new UiNews(run.ui ?? unknownUi, known);
  const desk = new ToolServer({
    requests,
    emit,
    taken,
    news: () => news,
    isFresh: position === undefined || position.isStart === true,
    tools: frontendTools(run),
  });
  const tools = new ToolMessages(desk);
  const channel = new ControlChannel({
    write: (line) => process.write(line),
    answer: (request) => answerAgent(request, { guard, requests, tools }),
  });
  const messages = new MessageQueue<unknown>();
  const frames = new MirrorFrames(mirror, (message) => messages.push(message));
  const reading = readLines(process.lines, { channel, messages, frames }).then(async () => {
    isGone = true;
    const error = new RuntimeError("exited", `The Claude CLI ${await process.ended()}.`);
    channel.end(error);
    messages.fail(error);
  });
  detach(reading, (error) => messages.fail(error));
  const introduction = channel.request(initializeRequest(runtime, run)).then(checkIntroduction);
  detach(introduction, () => undefined);
  const query = new CliQuery(channel, messages, introduction);
  const { mcpServers } = run;
  return {
    query,
    requests,
    news,
    process: {
      started: Promise.resolve(),
      stderr: () => process.stderr(),
      stop: () => {
        channel.end(new RuntimeError("exited", "The Claude CLI was ended."));
        return process.stop();
      },
    },
    input: {
      // That it takes no more is learned from its end.
      push: (message) => detach(process.write(JSON.stringify(message)), () => undefined),
      end: () => undefined,
    },
    canBypass: args.includes("--allow-dangerously-skip-permissions"),
    connect: async () => {
      if (mcpServers) await addMcpServers(query, mcpServers, { type: "sdk", name: toolServerName });
    },
  };
}

/** A hook that fails must keep the tool from being used: a CLI that cannot promise that holds to no policy. */
function checkIntroduction(introduction: JsonObject): JsonObject {
  if (introduction["hook_on_failure_supported"] === true) return introduction;
  throw new RuntimeError(
    "not_available",
    "This Claude CLI is too old to be held to a policy. Update it, for example with: npm install -g @anthropic-ai/claude-code",
  );
}

interface Readers {
  readonly channel: ControlChannel;
  readonly messages: MessageQueue<unknown>;
  readonly frames: MirrorFrames;
}

/** Reads only as fast as the messages are taken. */
async function readLines(
  lines: Awaited<ReturnType<typeof spawnAgentProcess>>["lines"],
  { channel, messages, frames }: Readers,
): Promise<void> {
  for await (const line of lines) {
    if (line.type === "too_long") {
      const size = Math.round(line.bytes / 1024 / 1024);
      messages.push({ type: "system", subtype: "informational", content: tooLong(size) });
      continue;
    }
    const message = parsedLine(line.text);
    if (frames.take(message)) continue;
    // Whoever sees the end of a turn can continue it elsewhere.
    if (progressFrom(message).type === "result") await frames.stored;
    const control = controlMessageFrom(message);
    if (control) channel.take(control);
    else messages.push(message);
    if (messages.isFull) await messages.room();
  }
}

function tooLong(megabytes: number): string {
  return `A message of the Claude CLI has ${megabytes} MB and was skipped.`;
}
