import { text as readAll } from "node:stream/consumers";
import type { AcceptedMessage, Session, TurnwireClient } from "@turnwire/client";
import { Transcript } from "../chat/transcript.ts";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import type { Context } from "../program/context.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { connect } from "../connection/server-address.ts";
import { newSessionFrom } from "../session/session-options.ts";
import { createSession, findSession } from "../session/session-selection.ts";
import { formatFor } from "../terminal/format.ts";
import { safeLine, safeText } from "../terminal/safe-text.ts";
import { requestSummary, type TurnOutcome, turnOutcome } from "../session/turn-outcome.ts";

type SendInvocation = Invocation<"send">;

async function messageFrom({ positionals, stdin }: SendInvocation): Promise<string> {
  const [target, ...words] = positionals;
  if (target === undefined || words.length === 0) {
    throw new CliError(
      "usage",
      'Missing session id or message. Usage: turnwire send ID|new "TEXT"',
    );
  }
  const message = words.length === 1 && words[0] === "-" ? await readAll(stdin) : words.join(" ");
  if (message.trim() === "")
    throw new CliError("usage", "There is nothing to send: the text is empty.");
  return message;
}

async function sessionIdFor(client: TurnwireClient, invocation: SendInvocation): Promise<string> {
  const [target = ""] = invocation.positionals;
  if (target !== "new") return (await findSession(client, target)).session_id;
  const created = await createSession(client, newSessionFrom(invocation.values, invocation));
  if (!invocation.values.json) invocation.stderr.write(`Session ${created.session_id}\n`);
  return created.session_id;
}

/** On a terminal the turn is shown while it runs. */
function showLive(session: Session, { stdout, env }: Context): () => void {
  const transcript = new Transcript();
  transcript.skipAllBut(0, session.getState().session);
  const show = (): void => {
    const { lines } = transcript.advance(session.getState().session, formatFor(stdout, env));
    for (const line of lines) stdout.write(`${line}\n`);
  };
  return session.subscribe(show);
}

async function waitForOutcome(session: Session, { message_id }: AcceptedMessage) {
  const outcomeNow = (): TurnOutcome => turnOutcome(session.getState().session, message_id);
  await session.waitFor(() => outcomeNow().type !== "pending");
  return outcomeNow();
}

function exitCodeFor(outcome: TurnOutcome): number {
  if (outcome.type === "waiting") return exitCode.waitsForPerson;
  return outcome.type === "ended" && !outcome.hasFailed ? exitCode.ok : exitCode.turnFailed;
}

function reportFor(sessionId: string, accepted: AcceptedMessage, outcome: TurnOutcome) {
  const sent = { session_id: sessionId, message_id: accepted.message_id, seq: accepted.seq };
  switch (outcome.type) {
    case "pending":
      return sent;
    case "waiting":
      return { ...sent, turn_id: outcome.turnId, outcome: "waiting", request: outcome.request };
    case "ended": {
      const { turnId, hasFailed, isStopped, text, result } = outcome;
      const word = isStopped ? "stopped" : hasFailed ? "failed" : "ok";
      return { ...sent, turn_id: turnId, outcome: word, text, result: result ?? null };
    }
  }
}

function explain(outcome: TurnOutcome, sessionId: string, { stderr }: Context): void {
  if (outcome.type === "waiting") {
    const wanted = safeLine(requestSummary(outcome.request));
    stderr.write(`The agent waits for ${wanted}. Answer it: turnwire chat ${sessionId}\n`);
  }
  if (outcome.type === "ended" && outcome.hasFailed) {
    stderr.write(outcome.isStopped ? "The turn was stopped.\n" : "The turn failed.\n");
  }
}

function attendance({ values }: SendInvocation): { is_unattended?: true } {
  return values.unattended ? { is_unattended: true } : {};
}

async function sendAndWait(
  session: Session,
  message: string,
  invocation: SendInvocation,
): Promise<number> {
  const { stdout, values } = invocation;
  const isShownLive = stdout.isTTY === true && !values.json;
  await session.waitFor(({ connection }) => connection.status === "live");
  const stopShowing = isShownLive ? showLive(session, invocation) : () => undefined;
  const accepted = await session.send(message, attendance(invocation));
  const outcome = await waitForOutcome(session, accepted);
  stopShowing();
  if (values.json) stdout.write(`${JSON.stringify(reportFor(session.id, accepted, outcome))}\n`);
  else {
    const text = outcome.type === "ended" ? outcome.text : "";
    if (!isShownLive && text !== "") stdout.write(`${safeText(text).trimEnd()}\n`);
    explain(outcome, session.id, invocation);
  }
  return exitCodeFor(outcome);
}

export const send = defineCommand({
  name: "send",
  summary: "Send a message to a session, and optionally wait for the answer",
  usage: ["send ID|new TEXT [--wait] [--unattended] [--json]", "send ID|new - < FILE"],
  details:
    "The message is kept once this returns, and runs once. With --wait the answer is printed, and the exit code is the outcome: 0 done, 3 the turn failed or was stopped, 4 the agent waits for a person. With --json one object is printed: {session_id, message_id, seq}, with --wait also {turn_id, outcome, text, result}.",
  maxPositionals: Number.MAX_SAFE_INTEGER,
  examples: [
    {
      command: 'turnwire send new "/tools" --wait',
      meaning: "A new session, and its first answer",
    },
    {
      command: "git diff | turnwire send 3f2a91c0 - --wait",
      meaning: "Send what comes through a pipe",
    },
  ],
  async run(invocation) {
    const { values, env, stdout } = invocation;
    const message = await messageFrom(invocation);
    const dataDirectory = dataDirectoryFrom(values.data, invocation);
    const client = await connect({ url: values.url, dataDirectory, env });
    const sessionId = await sessionIdFor(client, invocation);
    if (!values.wait) {
      const body = { message, ...attendance(invocation) };
      const accepted = await client.sessions.message(sessionId, body);
      const report = reportFor(sessionId, accepted, { type: "pending" });
      stdout.write(values.json ? `${JSON.stringify(report)}\n` : `Sent to ${sessionId}.\n`);
      return exitCode.ok;
    }
    const session = client.openSession(sessionId);
    try {
      return await sendAndWait(session, message, invocation);
    } finally {
      session.close();
    }
  },
});
