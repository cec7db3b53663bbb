import {
  type Capabilities,
  type CommandOf,
  draft,
  type EventDraft,
  type JsonValue,
  noCapabilities,
  SessionOption,
} from "@turnwire/protocol";
import type { RequestAnswer, Run, RunOptions, Runtime, TurnInput } from "@turnwire/runtime";

/** What a session can ask of a run. */
interface Asking {
  readonly send: { readonly input: TurnInput };
  readonly steer: { readonly input: TurnInput };
  readonly answer: { readonly answer: RequestAnswer };
  readonly interrupt: object;
  readonly close: object;
  readonly compact: object;
  readonly model: { readonly model: string | null };
  readonly effort: { readonly effort: string | null };
  readonly mode: { readonly mode: string };
  readonly rename: { readonly title: string };
  readonly rollback: { readonly turnIndex: number };
  readonly shared: { readonly state: JsonValue };
  readonly callback: { readonly callback: CommandOf<"component_callback"> };
  readonly catalog: object;
}

type AskedOf<Type extends keyof Asking> = { readonly type: Type } & Asking[Type];
type Asked = { [Type in keyof Asking]: AskedOf<Type> }[keyof Asking];

const everything: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  steer: true,
  resume: true,
  permissions: true,
  tool_policy: true,
  questions: true,
  components: true,
  shared_state: true,
  tool_input_stream: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  stop_task: true,
  review: true,
  context_usage: true,
  reconnect_mcp: true,
  fork: true,
  rollback: true,
  compact: true,
  permission_modes: ["default", "bypass"],
  admin_modes: ["bypass"],
  efforts: ["low", "high"],
  session_options: SessionOption.options,
  unavailable_modes: { locked: "there is no key; make one" },
};

/** A run whose every word a test speaks; its native messages are drafts already. */
export class ScriptedRun implements Run<EventDraft> {
  readonly options: RunOptions;
  readonly asked: Asked[] = [];
  /** Set to hold back what is sent. */
  sendGate: Promise<void> | undefined;
  readonly messages: AsyncIterable<EventDraft>;
  #queue: EventDraft[] = [];
  #end: { error?: Error } | undefined;
  #wake: () => void = () => undefined;
  #listeners: (() => void)[] = [];
  readonly #onAsked: () => void;

  constructor(options: RunOptions, onAsked: () => void) {
    this.options = options;
    this.#onAsked = onAsked;
    this.messages = this.#read();
  }

  say(...drafts: EventDraft[]): void {
    this.#queue.push(...drafts);
    this.#wake();
  }

  /** Ends the running turn the way agents do. */
  finish(turnId: string, stopped?: boolean): void {
    this.say(
      draft("result", { turn_id: turnId, subtype: "success", is_error: false }),
      draft("done", { turn_id: turnId, ...(stopped && { stopped }) }),
    );
  }

  die(message: string): void {
    this.#end = { error: new Error(message) };
    this.#wake();
  }

  /** Resolves with the first thing asked that fits, asked already or later. */
  async wasAsked<Type extends keyof Asking>(type: Type, count = 1): Promise<AskedOf<Type>> {
    for (;;) {
      const found = this.asked.filter((asked) => asked.type === type)[count - 1];
      if (found) return found as AskedOf<Type>;
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
      });
    }
  }

  async send(input: TurnInput): Promise<void> {
    await this.sendGate;
    this.#note({ type: "send", input });
  }

  async steer(input: TurnInput): Promise<void> {
    this.#note({ type: "steer", input });
  }

  async interrupt(): Promise<void> {
    this.#note({ type: "interrupt" });
  }

  async answer(answer: RequestAnswer): Promise<void> {
    this.#note({ type: "answer", answer });
  }

  async setModel(model: string | null): Promise<void> {
    this.#note({ type: "model", model });
  }

  async setEffort(effort: string | null): Promise<void> {
    this.#note({ type: "effort", effort });
  }

  async setPermissionMode(mode: string): Promise<void> {
    this.#note({ type: "mode", mode });
  }

  async rename(title: string): Promise<void> {
    this.#note({ type: "rename", title });
  }

  async componentCallback(callback: CommandOf<"component_callback">): Promise<void> {
    this.#note({ type: "callback", callback });
  }

  async catalogUpdated(): Promise<void> {
    this.#note({ type: "catalog" });
  }

  async compact(): Promise<void> {
    this.#note({ type: "compact" });
  }

  async rollback({ turnIndex }: { turnIndex: number }): Promise<{ filesRestored?: string[] }> {
    this.#note({ type: "rollback", turnIndex });
    return {};
  }

  async sharedState(state: JsonValue): Promise<void> {
    this.#note({ type: "shared", state });
  }

  async close(): Promise<void> {
    this.#note({ type: "close" });
    this.#end ??= {};
    this.#wake();
  }

  #note(asked: Asked): void {
    this.asked.push(asked);
    for (const listener of this.#listeners.splice(0)) listener();
    this.#onAsked();
  }

  async *#read(): AsyncGenerator<EventDraft> {
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
  }
}

/** A runtime that hands its runs to the test. */
export class ScriptedRuntime implements Runtime<EventDraft, null> {
  readonly name = "scripted";
  readonly label = "Scripted";
  readonly capabilities: Capabilities;
  readonly runs: ScriptedRun[] = [];
  readonly normalizer = {
    initial: () => null,
    step: (state: null, message: EventDraft) => [state, [message]] as const,
    end: () => [],
  };
  /** Set to let the next start fail. */
  startError: Error | undefined;
  #listeners: (() => void)[] = [];

  constructor(capabilities: Partial<Capabilities> = {}) {
    this.capabilities = { ...everything, ...capabilities };
  }

  check = async () => ({ isAvailable: true });

  async createRun(options: RunOptions): Promise<ScriptedRun> {
    if (this.startError) throw this.startError;
    const run = new ScriptedRun(options, () => this.#deliver());
    this.runs.push(run);
    this.#deliver();
    return run;
  }

  async fork(source: { turns: number }): Promise<{ providerSessionId: string }> {
    return { providerSessionId: `fork-of-${source.turns}` };
  }

  /** The run with this index, as soon as it was started. */
  async run(index = 0): Promise<ScriptedRun> {
    for (;;) {
      const run = this.runs[index];
      if (run) return run;
      await this.#news();
    }
  }

  /** The run that was sent a message, and the turn it was sent for. */
  async sent(messageId: string | undefined): Promise<{ run: ScriptedRun; turnId: string }> {
    for (;;) {
      for (const run of this.runs) {
        for (const asked of run.asked) {
          if (asked.type === "send" && asked.input.messageId === messageId) {
            return { run, turnId: asked.input.turnId };
          }
        }
      }
      await this.#news();
    }
  }

  #deliver(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #news(): Promise<void> {
    return new Promise((resolve) => {
      this.#listeners.push(resolve);
    });
  }
}
