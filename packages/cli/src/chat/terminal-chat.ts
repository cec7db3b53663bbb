import { detach } from "@turnwire/base";
import type { Session } from "@turnwire/client";
import { textFromContent } from "@turnwire/protocol";
import { exitCode } from "../error/cli-error.ts";
import { type Format, formatFor } from "../terminal/format.ts";
import { Prompt } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";
import { type InputLine, Screen } from "../terminal/screen.ts";
import { wrap } from "../terminal/wrap.ts";
import { type Answering, answerPrompt, replyTo } from "./answering.ts";
import type { ChatOptions } from "./chat-options.ts";
import { openTranscript } from "./opening.ts";
import { perform, type Step } from "./perform.ts";
import { RequestDesk } from "./request-desk.ts";
import { completionsFor, intentOf } from "./slash-command.ts";
import { statusLines } from "./status-line.ts";
import type { Transcript } from "./transcript.ts";

const FRAME_MS = 33;
const SPINNER_MS = 120;
const LEAVE_WINDOW_MS = 3000;
const welcome = "Say something, or type /help. Ctrl-C stops a turn, twice leaves.";

/** A chat on a terminal: the conversation scrolls, what is unfinished and the input stay at the foot. */
export class TerminalChat {
  readonly #options: ChatOptions;
  readonly #screen: Screen;
  readonly #desk = new RequestDesk();
  #session: Session;
  #transcript: Transcript | undefined;
  #prompt: Prompt | undefined;
  #asked: Answering | undefined;
  /** What a person was typing when a request came up. */
  #draft = "";
  #notes: string[] = [];
  #frame: NodeJS.Timeout | undefined;
  #interruptedAt = -Infinity;
  #stopFollowing: () => void = () => undefined;
  #finish: (code: number) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(options: ChatOptions) {
    this.#options = options;
    const { stdout } = options;
    const size = () => ({ columns: stdout.columns ?? 80, rows: stdout.rows ?? 24 });
    this.#screen = new Screen(stdout, size);
    this.#session = options.client.openSession(options.sessionId);
  }

  async run(): Promise<number> {
    const finished = new Promise<number>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
    });
    const release = this.#watch();
    try {
      await this.#open(this.#session.id);
      this.#prompt = this.#createPrompt();
      if (this.#session.getState().session.messages.length === 0) this.#note(welcome);
      return await finished;
    } finally {
      release();
      this.#draw();
      this.#screen.clear();
      this.#prompt?.close();
      this.#session.close();
    }
  }

  /** Everything that can change the screen from outside; the answer takes it back. */
  #watch(): () => void {
    const { stdout, onSignal } = this.#options;
    const redraw = (): void => this.#schedule();
    const ignoreSignals = onSignal(() => this.#finish(exitCode.ok));
    stdout.on("resize", redraw);
    const spinner = setInterval(() => {
      if (this.#session.getState().session.turn) this.#schedule();
    }, SPINNER_MS);
    return () => {
      clearInterval(spinner);
      clearTimeout(this.#frame);
      this.#frame = undefined;
      stdout.off("resize", redraw);
      ignoreSignals();
      this.#stopFollowing();
    };
  }

  async #open(sessionId: string): Promise<void> {
    this.#stopFollowing();
    if (sessionId !== this.#session.id) {
      this.#session.close();
      this.#session = this.#options.client.openSession(sessionId);
    }
    const session = this.#session;
    this.#transcript = undefined;
    const { transcript, lines } = await openTranscript(session, this.#format);
    this.#transcript = transcript;
    this.#notes.push(...lines);
    this.#stopFollowing = session.subscribe(() => this.#follow());
    this.#follow();
  }

  #follow(): void {
    const { connection, session } = this.#session.getState();
    if (connection.status === "failed") this.#fail(connection.error);
    else if (session.session.is_closed) this.#finish(exitCode.ok);
    else this.#schedule();
  }

  #createPrompt(): Prompt {
    const { stdin, stdout } = this.#options;
    const state = () => this.#session.getState().session;
    const said = state().messages.flatMap((message) =>
      message.role === "user" ? [textFromContent(message.content)] : [],
    );
    return new Prompt({
      input: stdin,
      output: stdout,
      history: said.filter((text) => !text.includes("\n")).toReversed(),
      complete: (line) => completionsFor(line, state().session.capabilities),
      onLine: (line) => this.#enter(line),
      onChange: () => this.#schedule(),
      onInterrupt: () => this.#interrupt(),
      onEnd: () => this.#finish(exitCode.ok),
    });
  }

  /** Ctrl-C takes back what is typed, then stops the turn, then leaves. */
  #interrupt(): void {
    const prompt = this.#prompt;
    this.#schedule();
    if (prompt && (prompt.text !== "" || prompt.pastedLines > 0)) {
      prompt.setText("");
      return;
    }
    const now = Date.now();
    if (now - this.#interruptedAt < LEAVE_WINDOW_MS) {
      this.#finish(exitCode.ok);
      return;
    }
    this.#interruptedAt = now;
    if (this.#session.getState().session.turn) this.#attempt(this.#session.interrupt());
    else this.#note("Ctrl-C once more to leave; the session stays.");
  }

  #enter(line: string): void {
    this.#schedule();
    if (this.#asked && !line.trim().startsWith("/")) {
      this.#answer(this.#asked, line);
      return;
    }
    const { client, newSession } = this.#options;
    const intent = intentOf(line, this.#session.getState().session.session.capabilities);
    const step = perform(intent, {
      client,
      session: this.#session,
      newSession,
      format: this.#format,
    });
    this.#attempt(step.then((taken) => this.#take(taken)));
  }

  async #take(step: Step): Promise<void> {
    switch (step.type) {
      case "stay":
        return this.#note(...step.notes);
      case "open":
        return this.#open(step.sessionId);
      case "quit":
        return this.#finish(exitCode.ok);
    }
  }

  #answer(asked: Answering, line: string): void {
    const reply = replyTo(asked, line);
    switch (reply.type) {
      case "again":
        return this.#note(reply.hint);
      case "continue":
        return this.#desk.continueWith(reply.answering);
      case "command": {
        this.#desk.markSent(asked);
        const sent = this.#session.execute(reply.command);
        return this.#attempt(sent, () => this.#desk.unmark(asked));
      }
    }
  }

  /** Shows what the server refuses; the chat continues. */
  #attempt(promise: Promise<unknown>, undo: () => void = () => undefined): void {
    detach(promise, (error) => {
      undo();
      this.#note(safeText(error instanceof Error ? error.message : String(error)));
    });
  }

  #note(...lines: readonly string[]): void {
    const { colors, width } = this.#format;
    const wrapped = lines.flatMap((line) => {
      const text = line.trimStart();
      return wrap(colors.dim(text), width, { first: " ".repeat(line.length - text.length) });
    });
    this.#notes.push(...(this.#transcript?.note(wrapped, this.#format) ?? wrapped));
    this.#schedule();
  }

  get #format(): Format {
    return formatFor(this.#options.stdout, this.#options.env);
  }

  #schedule(): void {
    this.#frame ??= setTimeout(() => {
      this.#frame = undefined;
      this.#draw();
    }, FRAME_MS);
  }

  #draw(): void {
    const view = this.#session.getState();
    const format = this.#format;
    const update = this.#transcript?.advance(view.session, format) ?? { lines: [], live: [] };
    this.#ask(this.#desk.update(view.session));
    const status = statusLines(view, format, Date.now());
    const hint = this.#asked ? [format.colors.yellow(answerPrompt(this.#asked).label)] : status;
    const lines = [...this.#notes, ...update.lines];
    this.#notes = [];
    this.#screen.draw(lines, {
      live: [...update.live, ""],
      status: hint,
      input: this.#input(format),
    });
  }

  /** Gives the input line to a request, and back to what was being typed when no more is asked. */
  #ask(next: Answering | undefined): void {
    const prompt = this.#prompt;
    if (next === this.#asked || !prompt) return;
    if (!this.#asked) this.#draft = prompt.text;
    this.#asked = next;
    prompt.keepHistory(next === undefined);
    prompt.setText(next ? answerPrompt(next).prefill : this.#draft);
  }

  #input({ colors }: Format): InputLine | undefined {
    const prompt = this.#prompt;
    if (!prompt) return undefined;
    const pasted = prompt.pastedLines > 0 ? colors.dim(`[+${prompt.pastedLines} lines] `) : "";
    const mark = this.#asked ? colors.yellow("? ") : colors.cyan("› ");
    return { mark: mark + pasted, text: safeText(prompt.text), cursor: prompt.cursor };
  }
}
