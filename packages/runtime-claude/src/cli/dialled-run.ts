import { detach } from "@turnwire/base";
import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Agent } from "../sdk/agent.ts";
import type { ClaudeRuntimeOptions } from "../sdk/runtime-options.ts";
import { PendingRequests } from "../tool/pending-requests.ts";
import { ClaudeRun } from "../sdk/run.ts";
import type { RunMessage } from "../normalize/run-message.ts";
import { SessionClaims } from "../sdk/session-claim.ts";
import { ToolGuard } from "../tool/tool-guard.ts";
import { MessageQueue } from "@turnwire/runtime/process";
import { type Run, type RunOptions, RuntimeError } from "@turnwire/runtime";
import { answerAgent } from "./agent-answer.ts";
import { dialledCapabilities } from "./capabilities.ts";
import { CliQuery } from "./cli-query.ts";
import { ControlChannel, controlMessageFrom } from "./control-channel.ts";
import type { Arrival, DialledCli } from "./dialled-cli.ts";
import { parsedLine } from "./line.ts";
import { type FilteredLine, ReplayFilter } from "./replay-filter.ts";
import { type RestoredCli, restoreCli, uuidOf } from "./restore.ts";
import { noTitles } from "./titles.ts";

/** A CLI that dialled in as the agent of its session, with what the session's log has of it. */
export async function createDialledRun(
  cli: DialledCli,
  run: RunOptions,
  options: ClaudeRuntimeOptions,
): Promise<Run> {
  const restored = await restoreCli(run.past?.() ?? nothing());
  const messages = new MessageQueue<unknown>();
  const emit = (message: RunMessage): void => messages.push(message);
  emit({ type: "turnwire/restored", state: restored.state });
  const capabilities = cli.introduction && dialledCapabilities(cli.introduction, options);
  if (capabilities) emit({ type: "turnwire/run_info", capabilities });
  const agent = attachAgent(cli, { run, restored, emit });
  return new ClaudeRun(agent, {
    run,
    position: { sessionId: cli.sessionId },
    messages,
    claim: new SessionClaims().take(cli.sessionId),
    isBusy: restored.state.turn !== undefined,
    onIdle: () => undefined,
    title: noTitles,
    readTranscript: () => Promise.resolve([]),
    restart: () => Promise.reject(notOurs()),
  });
}

interface AgentParts {
  readonly run: RunOptions;
  readonly restored: RestoredCli;
  readonly emit: (message: RunMessage) => void;
}

function attachAgent(cli: DialledCli, { run, restored, emit }: AgentParts): Agent {
  const requests = new PendingRequests(emit, () => false, run.isRequestIdUsed);
  requests.workIn(run.cwd);
  requests.restore(restored.asked);
  const guard = new ToolGuard({ requests, emit, isHooked: false });
  // Which settings its owner has given it is not known here.
  guard.guard({ gate: run.gate, hasOtherHooks: true });
  const messages = new MessageQueue<unknown>();
  const write = (line: string): Promise<void> => {
    messages.push({ type: "turnwire/line", line, direction: "to_agent" });
    return cli.write(line);
  };
  const channel = new ControlChannel({
    write,
    answer: (request) => answerAgent(request, { guard, requests }),
  });
  const filter = new ReplayFilter(restored.known);
  const take = ({ line, message }: FilteredLine): void => {
    const control = controlMessageFrom(message);
    const record = { type: "turnwire/line", line, direction: "from_agent" } as const;
    messages.push(control || typeof message === "string" ? record : { ...record, message });
    if (control) channel.take(control);
  };
  const reading = read(cli, { filter, take, messages });
  detach(reading, (error) => {
    channel.end(new RuntimeError("exited", "The Claude CLI is gone."));
    messages.fail(error);
  });
  for (const request of restored.open) channel.take(request);
  return {
    query: new CliQuery(channel, messages, Promise.resolve(cli.introduction ?? {})),
    requests,
    process: {
      started: Promise.resolve(),
      stderr: () => "",
      stop: () => {
        channel.end(new RuntimeError("exited", "The Claude CLI was let go."));
        cli.release();
        return Promise.resolve();
      },
    },
    input: {
      push: (message) => detach(write(lineFrom(message, cli.sessionId)), () => undefined),
      end: () => undefined,
    },
    canBypass: true,
    isGuest: true,
  };
}

/** Plain words stay a plain string, as front ends of a relay write them. */
function lineFrom(input: SDKUserMessage, sessionId: string): string {
  const { content } = input.message;
  const [only, ...others] = typeof content === "string" ? [] : content;
  const isPlain = only?.type === "text" && others.length === 0;
  const message = isPlain ? { ...input.message, content: only.text } : input.message;
  return JSON.stringify({ ...input, message, session_id: sessionId });
}

interface Readers {
  readonly filter: ReplayFilter;
  readonly take: (line: FilteredLine) => void;
  readonly messages: MessageQueue<unknown>;
}

/** Never returns: the arrivals end with an error. */
async function read(cli: DialledCli, { filter, take, messages }: Readers): Promise<void> {
  for await (const arrival of cli.arrivals) {
    for (const line of filtered(arrival, filter)) take(line);
    if (messages.isFull) await messages.room();
  }
}

function filtered(arrival: Arrival, filter: ReplayFilter): FilteredLine[] {
  if (arrival.type === "replay_ended") return filter.endReplay();
  const { line, isReplay } = arrival;
  const message = parsedLine(line);
  return filter.take({ line, message, uuid: uuidOf(message) }, isReplay);
}

async function* nothing(): AsyncGenerator<never> {}

function notOurs(): RuntimeError {
  return new RuntimeError(
    "not_available",
    "The Claude CLI of this session was started by somebody else: start it again yourself.",
  );
}
