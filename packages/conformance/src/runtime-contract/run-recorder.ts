import { defined } from "@turnwire/base";
import {
  type ContentBlock,
  draft,
  type EventDraft,
  type EventType,
  Grammar,
  isRequest,
  isResolution,
  type OpenRequest,
  PROTOCOL_VERSION,
  requestId,
  resolutionOf,
  type SessionEvent,
  type SessionEventOf,
  type Violation,
} from "@turnwire/protocol";
import type { RequestAnswer, NativeEnd, Run, RunOptions, Runtime } from "@turnwire/runtime";

/** Stands where a session stands: drives one run and keeps the log that a session would keep. */
export class RunRecorder {
  readonly runtime: Runtime;
  readonly run: Run;
  readonly events: SessionEvent[] = [];
  /** Where the log breaks the grammar of PROTOCOL.md. */
  readonly violations: Violation[] = [];
  /** How the native stream ended, once it has. */
  end: NativeEnd | undefined;
  readonly #messages: AsyncIterator<unknown>;
  /** A session always waits for the next message, so the agent never waits for a reader. */
  #coming: Promise<IteratorResult<unknown>>;
  readonly #grammar = new Grammar();
  readonly #requests = new Map<string, OpenRequest>();
  #state: unknown;
  #turns = 0;
  #turnId: string | undefined;
  /** Events that `until` has passed. */
  #passed = 0;

  private constructor(runtime: Runtime, run: Run) {
    this.run = run;
    this.runtime = runtime;
    this.#messages = run.messages[Symbol.asyncIterator]();
    this.#coming = this.#ask();
    this.#state = runtime.normalizer.initial();
  }

  static async start(runtime: Runtime, options: RunOptions): Promise<RunRecorder> {
    const recorder = new RunRecorder(runtime, await runtime.createRun(options));
    recorder.#record(
      draft("session_ready", {
        session_id: options.sessionId,
        protocol_version: PROTOCOL_VERSION,
        runtime: runtime.name,
        capabilities: runtime.capabilities,
      }),
    );
    return recorder;
  }

  /** Whether the next turn may start: no turn or request is open, and nothing has gone wrong. */
  get isIdle(): boolean {
    const isOpen = this.#turnId !== undefined || this.#requests.size > 0;
    return !isOpen && this.end === undefined && this.violations.length === 0;
  }

  /** Starts a turn and gives back its id. */
  async send(said: string | ContentBlock[]): Promise<string> {
    this.#turns += 1;
    const turnId = `turn-${this.#turns}`;
    const messageId = `message-${this.#turns}`;
    const content: ContentBlock[] =
      typeof said === "string" ? [{ type: "text", text: said }] : said;
    this.#record(draft("user_message", { message_id: messageId, content, delivery: "turn" }));
    this.#turnId = turnId;
    this.#record(draft("turn_started", { turn_id: turnId, message_id: messageId }));
    await this.run.send({ turnId, messageId, content });
    return turnId;
  }

  /** The next event, or nothing when the run has ended. */
  async next(): Promise<SessionEvent | undefined> {
    while (this.#passed === this.events.length && (await this.#read()));
    const event = this.events[this.#passed];
    if (event) this.#passed += 1;
    return event;
  }

  /** Skips to the next event of the type. */
  async until<Type extends EventType>(type: Type): Promise<SessionEventOf<Type>> {
    for (;;) {
      const event = await this.next();
      if (!event) throw new Error(`The run ended before it gave a ${type}.`);
      if (isOfType(event, type)) return event;
    }
  }

  /** Reads what is left; `end` then says how it ended. */
  async untilEnd(): Promise<NativeEnd> {
    while (!this.end) await this.#read();
    return this.end;
  }

  /** Reads a turn to its end and gives back its events. */
  async turn(turnId: string): Promise<SessionEvent[]> {
    while ((await this.until("done")).data.turn_id !== turnId);
    return this.events.filter((event) => event.turn_id === turnId);
  }

  /** Answers a request as a session does: the outcome first, then the agent. */
  async answer(answer: RequestAnswer): Promise<void> {
    const id = requestId(answer);
    const request = this.#requests.get(id);
    if (request) this.#record(answered(request, answer));
    await this.run.answer(answer);
  }

  /** Interrupts as a session does: open requests are cancelled first. */
  async interrupt(): Promise<void> {
    for (const request of this.#requests.values())
      this.#record(resolutionOf(request, { outcome: "cancelled" }));
    await this.run.interrupt();
  }

  async #read(): Promise<boolean> {
    if (this.end) return false;
    try {
      const next = await this.#coming;
      if (next.done) return this.#finish({ type: "closed" });
      this.#coming = this.#ask();
      const [state, drafts] = this.runtime.normalizer.step(this.#state, next.value);
      this.#state = state;
      for (const event of drafts) this.#record(event);
      return true;
    } catch (error) {
      return this.#finish({ type: "died", message: String(error) });
    }
  }

  #ask(): Promise<IteratorResult<unknown>> {
    const coming = this.#messages.next();
    // A failure is reported by the read that awaits it, which may come much later.
    coming.catch(() => undefined);
    return coming;
  }

  #finish(end: NativeEnd): false {
    this.end = end;
    for (const event of this.runtime.normalizer.end(this.#state, end)) this.#record(event);
    return false;
  }

  #record(event: EventDraft): void {
    const seq = this.events.length + 1;
    const turn_id = event.turn_id ?? this.#turnId;
    const ts = new Date(seq).toISOString();
    const recorded = { ...event, ...defined({ turn_id }), seq, ts };
    this.events.push(recorded);
    this.violations.push(...this.#grammar.check(recorded));
    this.#follow(recorded);
  }

  #follow(event: SessionEvent): void {
    if (isRequest(event)) this.#requests.set(requestId(event), event);
    else if (isResolution(event)) this.#requests.delete(requestId(event));
    else if (event.type === "done") this.#turnId = undefined;
  }
}

function isOfType<Type extends EventType>(
  event: SessionEvent,
  type: Type,
): event is Extract<SessionEvent, SessionEventOf<Type>> {
  return event.type === type;
}

function answered(request: OpenRequest, answer: RequestAnswer): EventDraft {
  const allowed = answer.type === "permission_response" && answer.behavior === "allow";
  const isPermission = request.type === "permission_request";
  return resolutionOf(request, { outcome: "answered", ...(isPermission && { allowed }) });
}
