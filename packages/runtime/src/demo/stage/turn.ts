import type { Clock } from "@turnwire/base";
import { requestId, textFromContent } from "@turnwire/protocol";
import type { RequestAnswer, TurnInput } from "../../runtime.ts";
import type { ToolGate } from "../../tool-gate.ts";
import type { Memory } from "./memory.ts";
import type { DemoMessageOf } from "./message.ts";
import type { DemoPace } from "./pace.ts";
import type { Script } from "./script.ts";

/** Thrown inside a script when a person stopped its turn; the run makes the turn's end of it. */
export class TurnStopped extends Error {
  constructor() {
    super("The turn was stopped.");
    this.name = "TurnStopped";
  }
}

export interface TurnOptions {
  readonly input: TurnInput;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly pace: DemoPace;
  /** Undefined: nothing but the permission mode decides. */
  readonly gate: ToolGate | undefined;
  /** Plays a script beside the turn and beyond its end. */
  readonly playInBackground: (script: Script) => void;
}

/** One running turn: what can happen to it from outside while its script plays. */
export class DemoTurn {
  readonly input: TurnInput;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly pace: DemoPace;
  readonly gate: ToolGate | undefined;
  readonly playInBackground: (script: Script) => void;
  /** Set by a script that ends badly. */
  hasFailed = false;
  /** Words written so far: the demo's tokens. */
  words = 0;
  readonly #startedAt: number;
  readonly #stopped = new AbortController();
  readonly #asked = new Map<string, (answer: RequestAnswer | undefined) => void>();
  readonly #steers: string[] = [];

  constructor(options: TurnOptions) {
    this.input = options.input;
    this.memory = options.memory;
    this.clock = options.clock;
    this.pace = options.pace;
    this.gate = options.gate;
    this.playInBackground = options.playInBackground;
    this.#startedAt = options.clock.now();
  }

  /** Aborts when a person stops the turn. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  stop(): void {
    this.#stopped.abort();
    for (const settle of this.#asked.values()) settle(undefined);
    this.#asked.clear();
  }

  /** An answer to a request that is not open any more changes nothing. */
  answer(answer: RequestAnswer): void {
    const id = requestId(answer);
    this.#asked.get(id)?.(answer);
    this.#asked.delete(id);
  }

  /** The answer to a request, or nothing when the turn is stopped. Call it before asking. */
  expectAnswer(id: string): Promise<RequestAnswer | undefined> {
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }

  steer(text: string): void {
    this.#steers.push(text);
  }

  takeSteer(): string | undefined {
    return this.#steers.shift();
  }

  async pause(ticks = 1): Promise<void> {
    await this.pace.pause(ticks, this.#stopped.signal);
    this.throwIfStopped();
  }

  throwIfStopped(): void {
    if (this.isStopped) throw new TurnStopped();
  }

  /** The turn's last message. */
  ending(): DemoMessageOf<"turn_end"> {
    const ending = this.hasFailed ? "failed" : "finished";
    return {
      type: "turn_end",
      turn: this.input.turnId,
      reason: this.isStopped ? "interrupted" : ending,
      ms: this.clock.now() - this.#startedAt,
      usage: { input_tokens: wordCount(this.input), output_tokens: this.words },
      cost: 0,
    };
  }
}

function wordCount(input: TurnInput): number {
  return textFromContent(input.content).split(/\s+/).filter(Boolean).length;
}
