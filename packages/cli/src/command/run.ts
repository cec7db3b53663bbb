import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { defined } from "@turnwire/base";
import { ClientError, type OwnCommand, type TurnwireClient } from "@turnwire/client";
import type { JsonObject } from "@turnwire/protocol";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import type { EmbeddedServer } from "../server/embedded-server.ts";
import {
  AgentSessions,
  type ContinuedSession,
  lastSession,
  type RunAgents,
} from "../run/agent-session.ts";
import { otherWorkDone } from "../run/other-work.ts";
import type { RunLimits, RunPlan } from "../run/plan.ts";
import { checkAgent, reviewMode } from "../run/preflight.ts";
import { Progress } from "../run/progress.ts";
import { answerOf, exitCodeOf, explanation, type RunRecord, runReport } from "../run/report.ts";
import { limitsFrom, runPlanFrom } from "../run/run-options.ts";
import { readOutputSchema } from "../run/output-schema.ts";
import { openRunServer } from "../run/run-server.ts";
import { Runner } from "../run/runner.ts";
import { Stop } from "../run/stop.ts";
import { readTask } from "../run/task-source.ts";
import { clientFor, type Connection } from "../connection/server-address.ts";
import { newSessionFrom } from "../session/session-options.ts";
import { findSession } from "../session/session-selection.ts";
import { writeLine } from "../terminal/output.ts";
import { safeLine, safeText } from "../terminal/safe-text.ts";

type RunInvocation = Invocation<"run">;

/** What the command was asked to do, checked as far as that needs no server. */
interface RunOrder {
  readonly plan: RunPlan;
  readonly limits: RunLimits;
  readonly schema: JsonObject | undefined;
}

/** The session to continue, where one was named or the newest is wanted. */
async function continuedFrom(
  client: TurnwireClient,
  { values, cwd: here }: RunInvocation,
): Promise<ContinuedSession | undefined> {
  const { session, runtime } = values;
  if (session === undefined && !values.continue) return undefined;
  const found =
    session === undefined
      ? await lastSession(client, {
          cwd: await directoryOf(resolve(here, values.cwd ?? ".")),
          runtime,
        })
      : await findSession(client, session);
  return { session: found, changes: changesFrom(values) };
}

/** As sessions have it; as given where it is not on this machine. */
function directoryOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function changesFrom(values: RunInvocation["values"]): OwnCommand[] {
  const { model, effort } = values;
  const permission = values["permission-mode"];
  const policy = values["policy-mode"];
  return [
    ...(model === undefined ? [] : [{ type: "set_model", model } as const]),
    ...(effort === undefined ? [] : [{ type: "set_effort", effort } as const]),
    ...(permission === undefined
      ? []
      : [{ type: "set_permission_mode", mode: permission } as const]),
    ...(policy === undefined ? [] : [{ type: "set_policy_mode", mode: policy } as const]),
  ];
}

/** The agents of the run, once it is known that all of them can be used as wanted. */
async function agentsFor(
  client: TurnwireClient,
  { plan, limits, schema }: RunOrder,
  invocation: RunInvocation,
): Promise<RunAgents> {
  const made = newSessionFrom({ ...invocation.values, budget: undefined }, invocation);
  const newSession = { ...made, wish: { ...made.wish, ...defined({ output_schema: schema }) } };
  const continued = await continuedFrom(client, invocation);
  const { runtimes } = await client.runtimes();
  checkAgent(runtimes, continued?.session.runtime ?? newSession.wish.runtime, limits);
  if (!plan.review) return { newSession, continued, reviewer: undefined };
  const reviewing = checkAgent(runtimes, plan.review.runtime, limits);
  const policyMode = reviewMode(plan.review, reviewing, await client.policy.get());
  const hasSandbox = reviewing.capabilities.sandbox;
  return { newSession, continued, reviewer: { ...plan.review, policyMode, hasSandbox } };
}

/** The answer goes to standard output, unless the terminal shows it as part of the progress. */
async function report(
  run: RunRecord,
  progress: Progress,
  invocation: RunInvocation,
): Promise<void> {
  const { stdout, stderr, values } = invocation;
  const format = values["output-format"];
  const isShown = progress.isShown && stdout.isTTY === true;
  if (format === "json") await writeLine(stdout, JSON.stringify(runReport(run)));
  if (format === "text" && !isShown) {
    const answer = safeText(answerOf(run)).trimEnd();
    if (answer !== "") await writeLine(stdout, answer);
  }
  const sentence = explanation(run);
  if (sentence !== undefined) stderr.write(`${safeLine(sentence)}\n`);
}

interface RunContext {
  readonly order: RunOrder;
  readonly invocation: RunInvocation;
  readonly progress: Progress;
  readonly stop: Stop;
}

async function perform(
  connection: Connection,
  context: RunContext,
  onSend?: () => void,
): Promise<RunRecord> {
  const { order, invocation, progress, stop } = context;
  const client = clientFor(connection);
  const agents = await agentsFor(client, order, invocation);
  const isStreamed = invocation.values["output-format"] === "stream-json";
  const print = (line: string): Promise<void> => writeLine(invocation.stdout, line);
  const runner = new Runner({
    ...order,
    sessions: new AgentSessions(client, order.plan, agents),
    progress,
    lines: isStreamed ? { client, connection, print } : undefined,
    linkTo: (id) => `${connection.url}/s/${id}`,
    signal: stop.signal,
    onSend,
  });
  const run = await runner.run();
  await report(run, progress, invocation);
  return run;
}

/** Undefined where the server is gone before anything was sent: a run had brought it, and is over. */
async function performOnFound(
  connection: Connection,
  context: RunContext,
): Promise<RunRecord | undefined> {
  let hasSent = false;
  try {
    return await perform(connection, context, () => {
      hasSent = true;
    });
  } catch (error) {
    const isGone = error instanceof ClientError && error.code === "network" && !hasSent;
    if (!isGone || context.invocation.values.url !== undefined) throw error;
    return undefined;
  }
}

/** The run ends with its own server, should that become unusable; the server stays while others use it. */
async function performOnOwn(server: EmbeddedServer, context: RunContext): Promise<RunRecord> {
  const { progress, stop } = context;
  const { webRoot } = context.invocation;
  const watch = webRoot === undefined ? undefined : await server.loginUrl();
  const offer = watch === undefined ? "" : " Watch it in a browser (the link works once):";
  progress.note(`No server runs, so this run brings its own until it ends. Sessions stay.${offer}`);
  if (watch !== undefined) progress.link(watch);
  const failed = server.failed.then((error): never => {
    throw error;
  });
  failed.catch(() => undefined);
  try {
    const run = await Promise.race([perform(server, context), failed]);
    const ownIds = new Set(run.steps.map(({ sessionId }) => sessionId));
    const onWait = (): void =>
      progress.note("Others use this server: it stays until they are done.");
    await Promise.race([
      otherWorkDone(clientFor(server), { ownIds, signal: stop.signal, onWait }),
      failed,
    ]);
    return run;
  } finally {
    await server.close();
  }
}

async function performSomewhere(context: RunContext): Promise<RunRecord> {
  const { invocation } = context;
  const { values, env } = invocation;
  const dataDirectory = dataDirectoryFrom(values.data, invocation);
  for (;;) {
    const query = { url: values.url, dataDirectory, env };
    const found = await openRunServer(query, values, invocation);
    if (found.isOwn) return performOnOwn(found.server, context);
    const run = await performOnFound(found.connection, context);
    if (run) return run;
  }
}

export const run = defineCommand({
  name: "run",
  summary: "Let an agent work on a task unattended, until it is done",
  usage: [
    "run PROMPT [--runtime NAME] [--policy-mode MODE] [--output-format text|json|stream-json]",
    "run --file FILE | run < FILE",
    "run PROMPT --until SIGNAL [--review RUNTIME] [--max-iterations N]",
  ],
  details:
    "No one is asked anything: what the policy mode does not allow, and every question, is refused at once. With --until the agent works turn after turn until it reports that it is done; with --review another agent judges the work, and its notes go back until it passes. Every turn is part of a session that you can open later. Where no server runs, the run starts one of its own on the same data, for as long as it lasts.\nStandard output has the answer. A terminal also shows the progress, on standard error.\nExit codes: 0 done, 1 could not run, 2 wrong usage, 3 a turn failed or somebody stopped it, 5 a limit was reached, 6 the iterations are used up and it is not done or did not pass, 130 or 143 ended by a signal: the first stops the turn, a second ends at once.",
  maxPositionals: Number.MAX_SAFE_INTEGER,
  examples: [
    {
      command: 'turnwire run "Explain this repository" --policy-mode planner',
      meaning: "One turn that changes nothing",
    },
    {
      command:
        "turnwire run --file task.md --runtime claude --review codex --until DONE --policy-mode implementation --max-minutes 60",
      meaning: "Claude works until it says DONE, Codex reviews, an hour at most",
    },
    {
      command: 'turnwire run "Which licences are in use?" --output-schema licences.json | jq .',
      meaning: "An answer of a form that a program expects",
    },
    {
      command: "git diff | turnwire run --output-format json | jq -r .text",
      meaning: "The prompt from a pipe, the outcome for a program",
    },
  ],
  async run(invocation) {
    const { values, env, stdin, cwd, stdout, stderr } = invocation;
    const task = await readTask(
      { words: invocation.positionals, file: values.file },
      { stdin, cwd },
    );
    const schema = await readOutputSchema(values["output-schema"], { cwd });
    const order = { plan: runPlanFrom(values, task), limits: limitsFrom(values), schema };
    const isStreamShown = values["output-format"] === "stream-json" && stdout.isTTY === true;
    const progress = new Progress(stderr, env, stderr.isTTY === true && !isStreamShown);
    const stop = new Stop(invocation);
    const context = { order, invocation, progress, stop };
    try {
      const { outcome } = await performSomewhere(context);
      const signalCode = outcome === "stopped" ? stop.exitCode : undefined;
      return signalCode ?? exitCodeOf(outcome);
    } finally {
      stop.release();
    }
  },
});
