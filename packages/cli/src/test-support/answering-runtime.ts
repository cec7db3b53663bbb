import {
  type Capabilities,
  draft,
  type EventDraft,
  noCapabilities,
  textFromContent,
} from "@turnwire/protocol";
import type { Run, Runtime, TurnInput } from "@turnwire/runtime";

/** What the agent of a test says to a prompt; undefined: it keeps the turn open until it is stopped. A turn fails with what this throws. */
export type Reply = (prompt: string, turn: number) => string | undefined;

/** A run that answers each turn with one text. */
class AnsweringRun implements Run<EventDraft> {
  readonly messages: AsyncIterable<EventDraft> = this.#read();
  readonly #answer: (prompt: string) => string | undefined;
  #queue: EventDraft[] = [];
  #running: TurnInput | undefined;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(answer: (prompt: string) => string | undefined) {
    this.#answer = answer;
  }

  async send(input: TurnInput): Promise<void> {
    this.#running = input;
    try {
      const text = this.#answer(textFromContent(input.content));
      if (text === undefined) return;
      const message_id = `answer-${input.turnId}`;
      this.#say(
        draft("delta", { message_id, text }),
        draft("message_complete", {
          message_id,
          message: { role: "assistant", content: [{ type: "text", text }] },
        }),
      );
      this.#end({ subtype: "success", is_error: false });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#say(draft("error", { code: "scripted", message, retryable: false }));
      this.#end({ subtype: "error", is_error: true });
    }
  }

  async interrupt(): Promise<void> {
    if (this.#running) this.#end({ subtype: "interrupted", is_error: false });
  }

  async answer(): Promise<void> {}

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
  }

  #end(result: { readonly subtype: string; readonly is_error: boolean }): void {
    const turn_id = this.#running?.turnId ?? "";
    const isStopped = result.subtype === "interrupted";
    this.#running = undefined;
    this.#say(
      draft("result", { turn_id, ...result, total_cost_usd: 0.25 }),
      draft("done", { turn_id, ...(isStopped && { stopped: true }) }),
    );
  }

  #say(...drafts: EventDraft[]): void {
    this.#queue.push(...drafts);
    this.#wake();
  }

  async *#read(): AsyncGenerator<EventDraft> {
    for (;;) {
      const next = this.#queue.shift();
      if (next) yield next;
      else if (this.#isClosed) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

/** A kind of agent whose every answer a test chooses. Its turns cost a quarter of a dollar each. */
export class AnsweringRuntime implements Runtime<EventDraft, null> {
  readonly name: string;
  readonly label: string;
  readonly capabilities: Capabilities;
  /** What was sent to it, oldest first. */
  readonly prompts: string[] = [];
  readonly normalizer = {
    initial: () => null,
    step: (state: null, message: EventDraft) => [state, [message]] as const,
    end: () => [],
  };
  readonly #answer: Reply;

  constructor(name: string, answer: Reply, capabilities: Partial<Capabilities> = {}) {
    this.name = name;
    this.label = name;
    this.#answer = answer;
    this.capabilities = {
      ...noCapabilities,
      interrupt: true,
      resume: true,
      tool_policy: true,
      set_model: true,
      budgets: ["cost_usd", "minutes", "turns"],
      ...capabilities,
    };
  }

  check = async () => ({ isAvailable: true });

  async createRun(): Promise<Run<EventDraft>> {
    return new AnsweringRun((prompt) => {
      this.prompts.push(prompt);
      return this.#answer(prompt, this.prompts.length);
    });
  }
}
