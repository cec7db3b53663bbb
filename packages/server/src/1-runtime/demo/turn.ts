import { textFromContent } from "@turnwire/protocol";
import { randomUUID } from "node:crypto";
import { setImmediate as nextLoop } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Answer, TurnInput } from "../runtime.ts";
import type { DemoMessageOf } from "./message.ts";

/** Thrown inside a script when a person stopped its turn; the run turns it into the turn's end. */
export class TurnStopped extends Error {
  constructor() {
    super("The turn was stopped.");
    this.name = "TurnStopped";
  }
}

/** What the demo agent knows beyond one turn. */
export interface Memory {
  /** Finished turns it remembers. */
  turns: number;
  isResumed: boolean;
  model: string | undefined;
  permissionMode: string;
  /** Tools a person allowed for good. */
  readonly allowedTools: Set<string>;
}

export interface TurnOptions {
  readonly input: TurnInput;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly delayMs: number;
}

/** How many ticks without delay pass before other work gets its chance. */
const ticksPerLoop = 64;

/** One running turn: what can happen to it from outside while its script plays. */
export class DemoTurn {
  readonly input: TurnInput;
  readonly memory: Memory;
  readonly clock: Clock;
  readonly delayMs: number;
  readonly startedAt: number;
  /** Set by a script that ends badly. */
  hasFailed = false;
  /** Words written so far: the demo's tokens. */
  words = 0;
  readonly #stopped = new AbortController();
  readonly #asked = new Map<string, (answer: Answer | undefined) => void>();
  readonly #steers: string[] = [];
  #ticks = 0;

  constructor(options: TurnOptions) {
    this.input = options.input;
    this.memory = options.memory;
    this.clock = options.clock;
    this.delayMs = options.delayMs;
    this.startedAt = options.clock.now();
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
  answer(answer: Answer): void {
    const id = answer.type === "interrupt_response" ? answer.interrupt_id : answer.correlation_id;
    this.#asked.get(id)?.(answer);
    this.#asked.delete(id);
  }

  /** Waits for the answer to a request; call it before the request is shown. */
  expectAnswer(id: string): Promise<Answer | undefined> {
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }

  steer(text: string): void {
    this.#steers.push(text);
  }

  takeSteer(): string | undefined {
    return this.#steers.shift();
  }

  /** Passes the time of some words; without delay it costs no timer. */
  async pause(ticks = 1): Promise<void> {
    this.#ticks += ticks;
    if (this.delayMs > 0) {
      await this.clock.wait(this.delayMs * ticks, this.#stopped.signal);
    } else if (this.#ticks >= ticksPerLoop) {
      this.#ticks = 0;
      await nextLoop();
    }
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
      ms: this.clock.now() - this.startedAt,
      usage: { input_tokens: wordCount(this.input), output_tokens: this.words },
      cost: 0,
    };
  }
}

function wordCount(input: TurnInput): number {
  return textFromContent(input.content).split(/\s+/).filter(Boolean).length;
}

/** An id no other run will make up again, so that a resumed session never sees one twice. */
export function newId(kind: string): string {
  return `${kind}_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
}
