import {
  query,
  type Options,
  type Query,
  type SDKUserMessage,
} from "@anthropic-ai/claude-agent-sdk";
import {
  type AnthropicStandin,
  type AnthropicStandinOptions,
  startAnthropicStandin,
} from "@turnwire/conformance/anthropic-standin";
import { JsonObject } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askMessage } from "../normalize/run-message.ts";
import { Anonymizer } from "./anonymous.ts";

type Verdict = Awaited<ReturnType<NonNullable<Options["canUseTool"]>>>;
type Ask = (toolName: string, input: Record<string, unknown>) => Promise<Verdict>;

export interface RecordingOptions {
  readonly standin?: AnthropicStandinOptions;
  readonly permissionMode?: NonNullable<Options["permissionMode"]>;
  /** How the person answers; without it, everything is allowed. */
  readonly onAsk?: Ask;
  readonly env?: Readonly<Record<string, string>>;
  readonly sdk?: Options;
}

/** What a run of the SDK said, with what our own run would have put between. */
export class Recording {
  readonly standin: AnthropicStandin;
  readonly query: Query;
  readonly cwd: string;
  readonly #directory: string;
  readonly #messages: JsonObject[] = [];
  readonly #input = new InputQueue();
  readonly #pumped: Promise<void>;
  #turns = 0;
  #listeners: (() => void)[] = [];

  private constructor(directory: string, standin: AnthropicStandin, options: RecordingOptions) {
    this.standin = standin;
    this.#directory = directory;
    this.cwd = join(directory, "project");
    this.query = query({
      prompt: this.#input,
      options: {
        cwd: this.cwd,
        model: "claude-opus-5-5",
        permissionMode: options.permissionMode ?? "default",
        includePartialMessages: true,
        settingSources: [],
        canUseTool: (toolName, input, rest) => this.#ask(options.onAsk, [toolName, input, rest]),
        env: this.#environment(options.env),
        ...options.sdk,
      },
    });
    this.#pumped = this.#pump();
  }

  static async start(options: RecordingOptions = {}): Promise<Recording> {
    const directory = await realpath(await mkdtemp(join(tmpdir(), "turnwire-record-")));
    await mkdir(join(directory, "project"));
    const standin = await startAnthropicStandin(options.standin);
    return new Recording(directory, standin, options);
  }

  /** Starts a turn. */
  send(text: string): void {
    this.#turns += 1;
    const uuid = randomUUID();
    this.inject({ type: "turnwire/turn_sent", turn_id: `turn-${this.#turns}`, uuid });
    this.#input.push(userMessage(text, { uuid }));
  }

  /** Says something into the running turn. */
  steer(text: string, more: Partial<SDKUserMessage> = {}): void {
    const uuid = randomUUID();
    this.inject({ type: "turnwire/steer_sent", uuid });
    this.#input.push(userMessage(text, { uuid, ...more }));
  }

  /** Sends something other than a turn, such as a command. */
  command(text: string): void {
    this.#input.push(userMessage(text, { uuid: randomUUID() }));
  }

  async interrupt(): Promise<void> {
    this.inject({ type: "turnwire/interrupt_sent" });
    await this.query.interrupt();
  }

  /** Plays one turn to its end. */
  async turn(text: string): Promise<void> {
    const from = this.#messages.length;
    this.send(text);
    await this.until(isIdle, from);
  }

  inject(message: object): void {
    this.#messages.push(JsonObject.parse(JSON.parse(JSON.stringify(message))));
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** The number of messages so far: where `until` may begin to look. */
  get length(): number {
    return this.#messages.length;
  }

  async until(matches: (message: JsonObject) => boolean, from = 0): Promise<JsonObject> {
    for (;;) {
      const found = this.#messages.slice(from).find(matches);
      if (found) return found;
      await new Promise<void>((resolve) => this.#listeners.push(resolve));
    }
  }

  /** Ends the process and gives back the fixture's lines. */
  async finish(): Promise<string[]> {
    this.#input.end();
    await this.#pumped;
    await this.standin.close();
    await rm(this.#directory, { recursive: true, force: true });
    const slug = this.cwd.replaceAll(/[^A-Za-z0-9]/g, "-");
    const anonymizer = new Anonymizer({
      [this.#directory]: "/sandbox",
      [slug]: "-sandbox-project",
      [this.standin.url]: "http://standin",
    });
    return this.#messages.map((message, index) =>
      JSON.stringify(anonymizer.anonymize(message, index)),
    );
  }

  async #ask(
    onAsk: Ask | undefined,
    [toolName, input, details]: Parameters<NonNullable<Options["canUseTool"]>>,
  ): Promise<Verdict> {
    this.inject(askMessage(toolName, input, details));
    if (!onAsk) return { behavior: "allow", updatedInput: input };
    const withdrawn = new Promise<Verdict>((resolve) => {
      details.signal.addEventListener("abort", () => {
        this.inject({ type: "turnwire/ask_cancelled", request_id: details.requestId });
        resolve(null);
      });
    });
    return Promise.race([onAsk(toolName, input), withdrawn]);
  }

  async #pump(): Promise<void> {
    try {
      for await (const message of this.query) this.inject(message);
    } catch (error) {
      // After a turn that failed the CLI leaves with code 1; nothing follows that could be recorded.
      if (!(error instanceof Error)) throw error;
    }
  }

  #environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: this.#directory,
      ANTHROPIC_BASE_URL: this.standin.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CONFIG_DIR: join(this.#directory, "config"),
      CLAUDE_CODE_TMPDIR: join(this.#directory, "tmp"),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      ...more,
    };
  }
}

export function isIdle(message: JsonObject): boolean {
  return message["subtype"] === "session_state_changed" && message["state"] === "idle";
}

export function isResult(message: JsonObject): boolean {
  return message["type"] === "result";
}

function userMessage(text: string, more: Partial<SDKUserMessage>): SDKUserMessage {
  const message = { role: "user" as const, content: [{ type: "text" as const, text }] };
  return { type: "user", message, parent_tool_use_id: null, ...more };
}

/** The SDK reads its input from here. */
class InputQueue implements AsyncIterable<SDKUserMessage> {
  readonly #queue: SDKUserMessage[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(message: SDKUserMessage): void {
    this.#queue.push(message);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SDKUserMessage> {
    for (;;) {
      const next = this.#queue.shift();
      if (next) yield next;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
