import { createInterface } from "node:readline";
import { ClientError, type Session } from "@turnwire/client";
import { openRequests, type SessionState } from "@turnwire/protocol";
import { CliError, exitCode } from "../error/cli-error.ts";
import { signalExitCode } from "../program/context.ts";
import { formatFor } from "../terminal/format.ts";
import { writeLine } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { requestSummary, turnEnd } from "../session/turn-outcome.ts";
import { type Answering, replyTo } from "./answering.ts";
import type { ChatOptions } from "./chat-options.ts";
import { openTranscript, type Opening } from "./opening.ts";
import { perform, type Step } from "./perform.ts";
import { RequestDesk } from "./request-desk.ts";
import { intentOf } from "./slash-command.ts";

/** Nothing runs and nothing waits to run, or a person is asked: time for the next line. */
function isSettled(state: SessionState): boolean {
  return openRequests(state).length > 0 || (state.turn === null && state.queue.length === 0);
}

/**
 * A chat without a terminal: reads line after line, each one when the turn before has ended or asks
 * something, and prints what becomes final. A line answers the open request, if there is one.
 */
export class ScriptChat {
  readonly #options: ChatOptions;
  readonly #desk = new RequestDesk();
  #session: Session;
  #opening: Opening | undefined;
  #stopShowing: () => void = () => undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#session = options.client.openSession(options.sessionId);
  }

  async run(): Promise<number> {
    let stopListening: () => void = () => undefined;
    const stopped = new Promise<number>((resolve) => {
      stopListening = this.#options.onSignal((signal) => resolve(signalExitCode[signal]));
    });
    try {
      return await Promise.race([this.#converse(), stopped]);
    } finally {
      stopListening();
      this.#stopShowing();
      this.#session.close();
    }
  }

  async #converse(): Promise<number> {
    await this.#open(this.#session.id);
    // Made only now: readline loses the lines that arrive before it is iterated.
    const lines = createInterface({ input: this.#options.stdin, crlfDelay: Infinity });
    for await (const line of lines) {
      const step = await this.#take(line);
      if (step.type === "quit") return exitCode.ok;
      if (step.type === "open") await this.#open(step.sessionId);
      else await this.#settle(step.seq ?? 0);
    }
    return this.#verdict();
  }

  async #open(sessionId: string): Promise<void> {
    const { client, stdout, env } = this.#options;
    this.#stopShowing();
    if (sessionId !== this.#session.id) {
      this.#session.close();
      this.#session = client.openSession(sessionId);
    }
    const session = this.#session;
    this.#opening = await openTranscript(session, formatFor(stdout, env));
    for (const line of this.#opening.lines) await writeLine(stdout, line);
    this.#stopShowing = session.subscribe(() => this.#show());
    this.#show();
    await this.#settle(0);
  }

  async #take(line: string): Promise<Step> {
    const { client, newSession, stdout, env } = this.#options;
    const { session: state } = this.#session.getState();
    const asked = this.#desk.update(state);
    if (asked && !line.trim().startsWith("/")) return this.#answer(asked, line);
    const intent = intentOf(line, state.session.capabilities);
    try {
      const format = formatFor(stdout, env);
      const step = await perform(intent, { client, session: this.#session, newSession, format });
      if (step.type === "stay") this.#note(...step.notes);
      return step;
    } catch (error) {
      return this.#refused(error);
    }
  }

  async #answer(answering: Answering, line: string): Promise<Step> {
    const reply = replyTo(answering, line);
    switch (reply.type) {
      case "again":
        this.#note(reply.hint);
        return { type: "stay", notes: [] };
      case "continue":
        this.#desk.continueWith(reply.answering);
        return { type: "stay", notes: [] };
      case "command":
        try {
          const { seq } = await this.#session.execute(reply.command);
          return { type: "stay", notes: [], seq };
        } catch (error) {
          return this.#refused(error);
        }
    }
  }

  #refused(error: unknown): Step {
    const isRefusal =
      error instanceof CliError || (error instanceof ClientError && error.code === "wire");
    if (!isRefusal) throw error;
    this.#note(safeLine(error.message));
    return { type: "stay", notes: [] };
  }

  async #settle(seq: number): Promise<void> {
    await this.#session.waitFor(({ session }) => session.seq >= seq && isSettled(session));
  }

  #show(): void {
    const { stdout, env } = this.#options;
    const { session: state } = this.#session.getState();
    const update = this.#opening?.transcript.advance(state, formatFor(stdout, env));
    for (const line of update?.lines ?? []) stdout.write(`${line}\n`);
  }

  #note(...notes: readonly string[]): void {
    const { stdout, env } = this.#options;
    const lines = this.#opening?.transcript.note(notes, formatFor(stdout, env)) ?? notes;
    for (const line of lines) stdout.write(`${line}\n`);
  }

  #verdict(): number {
    const { session: state } = this.#session.getState();
    const [request] = openRequests(state);
    if (request) {
      const { isServerOwn, stderr } = this.#options;
      const next = isServerOwn
        ? "Give the answer as a further line."
        : `Answer it: turnwire chat ${this.#session.id}`;
      stderr.write(`The agent waits for ${safeLine(requestSummary(request))}. ${next}\n`);
      return exitCode.waitsForPerson;
    }
    const turnId = state.last_turn_id;
    const hasFailed = turnId !== null && turnEnd(state, turnId).hasFailed;
    return hasFailed ? exitCode.turnFailed : exitCode.ok;
  }
}
