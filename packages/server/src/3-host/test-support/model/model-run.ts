import { draft, type EventDraft, requestId } from "@turnwire/protocol";
import {
  type RequestAnswer,
  type Run,
  type RunOptions,
  type TurnInput,
  RuntimeError,
  requestPolicy,
} from "@turnwire/runtime";
import type { Journal } from "./journal.ts";
import { messageText } from "./message-text.ts";
import { type AgentRequestType, requestDraft } from "./request-draft.ts";

/** What it runs in turn: allowed by every mode, asked about by most, denied by a planner. */
const commands = ["ls", "frobnicate", "git push"];

/** The calls of a run that can be slow or fail. */
export type RunCall = "start" | "send" | "steer" | "interrupt" | "compact" | "rollback" | "close";

/** What a run needs of the history it lives in. */
export interface RunSurroundings {
  readonly journal: Journal;
  /** Resolves when the history lets the call pass; rejects when it shall fail. */
  readonly pass: (call: RunCall) => Promise<void>;
}

/** A live agent that does what a history makes it do; its native messages are drafts already. */
export class ModelRun implements Run<EventDraft> {
  readonly options: RunOptions;
  readonly messages: AsyncIterable<EventDraft>;
  /** The turn it works at. */
  turnId: string | undefined;
  isCloseAsked = false;
  isEnded = false;
  readonly #surroundings: RunSurroundings;
  readonly #tasks = new Set<string>();
  readonly #gone: Promise<void>;
  #go: () => void = () => undefined;
  #queue: EventDraft[] = [];
  #end: { error?: Error } | undefined;
  #uses = 0;
  #wake: () => void = () => undefined;

  constructor(options: RunOptions, surroundings: RunSurroundings) {
    this.options = options;
    this.#surroundings = surroundings;
    this.messages = this.#read();
    this.#gone = new Promise((resolve) => {
      this.#go = resolve;
    });
    const { sessionId } = options;
    this.#say(draft("session_updated", { provider_session_id: `provider-of-${sessionId}` }));
  }

  /** It can still say something. */
  get isTalking(): boolean {
    return this.#end === undefined;
  }

  /** Words that belong to no turn or to the running one, as they come. */
  notice(): void {
    const text = this.#word("notice");
    this.#say(draft("notice", { level: "info", text }));
  }

  /** A piece of an answer. */
  speak(): void {
    const text = this.#surroundings.journal.word("delta");
    this.#say(draft("delta", { message_id: `answer-${this.turnId ?? "late"}`, text }));
  }

  ask(type: AgentRequestType): void {
    this.#say(requestDraft(type, this.#requestId(type)));
  }

  /** Asks the gate, as every runtime has to, and does what it says. */
  async useTool(): Promise<void> {
    const id = this.#surroundings.journal.word("tool");
    const input = { command: commands[this.#uses % commands.length] ?? "" };
    this.#uses += 1;
    const decision = await this.options.gate?.judge({ tool: "Bash", input, toolUseId: id });
    if (decision) this.#say(draft("policy_decision", decision));
    if (decision?.verdict === "deny") return;
    if (decision?.verdict === "ask") {
      const correlation_id = this.#requestId("permission_request");
      const about = { correlation_id, tool_use_id: id, tool_name: "Bash", tool_input: input };
      const policy = requestPolicy(decision);
      this.#say(draft("permission_request", { ...about, policy }));
      return;
    }
    this.#say(draft("tool_start", { message_id: `m-${id}`, tool_use_id: id, tool: "Bash", input }));
    this.#say(draft("tool_result", { tool_use_id: id, output: "ok", is_error: false }));
  }

  /** Begins a background task, or ends the one that runs. */
  toggleTask(): void {
    const [running] = this.#tasks;
    if (running === undefined) {
      const id = this.#surroundings.journal.word("task");
      this.#tasks.add(id);
      this.#say(draft("task", { task_id: id, status: "running" }));
    } else {
      this.#tasks.delete(running);
      this.#say(draft("task", { task_id: running, status: "completed" }));
    }
  }

  get hasTask(): boolean {
    return this.#tasks.size > 0;
  }

  /** Works without having been asked, as agents do when a background task ends. */
  beginTurn(): void {
    if (this.turnId !== undefined) return;
    this.turnId = this.#surroundings.journal.word("own-turn");
    this.#say(draft("turn_started", { turn_id: this.turnId }));
  }

  /** Ends its turn; without one, an unexpected end. */
  finish(): void {
    const turnId = this.turnId ?? "no-such-turn";
    this.turnId = undefined;
    this.#say(draft("result", { turn_id: turnId, subtype: "success", is_error: false }));
    this.#say(draft("done", { turn_id: turnId }));
  }

  die(): void {
    this.#stop({ error: new RuntimeError("exited", "the agent died") });
  }

  exit(): void {
    this.#stop({});
  }

  async send(input: TurnInput): Promise<void> {
    await this.#pass("send");
    this.#surroundings.journal.sent.push(this.#handedOver(input));
    this.turnId = input.turnId;
  }

  async steer(input: TurnInput): Promise<void> {
    await this.#pass("steer");
    if (this.turnId !== input.turnId) throw new RuntimeError("protocol", "no such turn to steer");
    this.#surroundings.journal.steered.push(this.#handedOver(input));
  }

  async interrupt(): Promise<void> {
    await this.#pass("interrupt");
  }

  async answer(answer: RequestAnswer): Promise<void> {
    const id = requestId(answer);
    this.#surroundings.journal.answered.push(id);
  }

  async compact(): Promise<void> {
    await this.#pass("compact");
    this.#say(draft("compacted", {}));
  }

  async rollback(): Promise<{ filesRestored?: string[] }> {
    await this.#pass("rollback");
    return {};
  }

  async close(): Promise<void> {
    this.isCloseAsked = true;
    await this.#surroundings.pass("close");
    this.#stop({});
  }

  #handedOver({ turnId, messageId, content }: TurnInput) {
    return {
      sessionId: this.options.sessionId,
      turnId,
      messageId,
      text: messageText(content),
    };
  }

  /** Waits for the history; an agent that is gone takes nothing, also when it goes meanwhile. */
  async #pass(call: RunCall): Promise<void> {
    await Promise.race([this.#surroundings.pass(call), this.#gone]);
    if (this.#end) throw goneFailure();
  }

  #requestId(type: AgentRequestType): string {
    const { journal } = this.#surroundings;
    const id = journal.word("request");
    journal.requests.push({ id, sessionId: this.options.sessionId, type });
    return id;
  }

  #word(kind: string): string {
    const { journal } = this.#surroundings;
    const text = journal.word(kind);
    if (this.isTalking) journal.spoken.push({ sessionId: this.options.sessionId, text });
    return text;
  }

  #say(message: EventDraft): void {
    if (this.#end) return;
    this.#queue.push(message);
    this.#wake();
  }

  #stop(end: { error?: Error }): void {
    this.#end ??= end;
    this.#go();
    this.#wake();
  }

  async *#read(): AsyncGenerator<EventDraft> {
    try {
      for (;;) {
        const next = this.#queue.shift();
        if (next) yield next;
        else if (this.#end?.error) throw this.#end.error;
        else if (this.#end) return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.isEnded = true;
    }
  }
}

function goneFailure(): RuntimeError {
  return new RuntimeError("exited", "injected: the agent is gone");
}
