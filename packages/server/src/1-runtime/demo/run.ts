import { type JsonObject, textFromContent } from "@turnwire/protocol";
import type { Clock } from "../clock.ts";
import {
  type Answer,
  type Run,
  RuntimeError,
  type RunOptions,
  type TurnInput,
} from "../runtime.ts";
import { scriptFor } from "./catalog.ts";
import { Feed } from "./feed.ts";
import type { DemoMessage } from "./message.ts";
import { Stage } from "./stage.ts";
import { DemoTurn, type Memory, newId, TurnStopped } from "./turn.ts";

export interface DemoRunOptions {
  readonly run: RunOptions;
  readonly clock: Clock;
  readonly delayMs: number;
}

/** A demo agent attached to a session: plays one script a turn. */
export class DemoRun implements Run {
  readonly messages: AsyncIterable<DemoMessage>;
  readonly #feed = new Feed<DemoMessage>();
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #memory: Memory;
  #turn: DemoTurn | undefined;

  constructor({ run, clock, delayMs }: DemoRunOptions) {
    this.messages = this.#feed;
    this.#clock = clock;
    this.#delayMs = delayFrom(run.params) ?? delayMs;
    this.#memory = {
      turns: 0,
      isResumed: run.resume !== undefined,
      model: run.model,
      permissionMode: run.permissionMode ?? "default",
      allowedTools: new Set(),
    };
    this.#feed.push({ type: "hello", session: run.resume ?? newId("demo") });
  }

  async send(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    if (this.#turn) {
      throw new RuntimeError("protocol", `Turn ${this.#turn.input.turnId} is still running.`);
    }
    this.#turn = new DemoTurn({
      input,
      memory: this.#memory,
      clock: this.#clock,
      delayMs: this.#delayMs,
    });
    this.#feed.add(this.#play(this.#turn));
  }

  async interrupt(): Promise<void> {
    this.#turn?.stop();
  }

  async answer(answer: Answer): Promise<void> {
    this.#turn?.answer(answer);
  }

  async steer(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    if (!this.#turn)
      throw new RuntimeError("protocol", "No turn is running that could be steered.");
    this.#turn.steer(textFromContent(input.content));
  }

  async setModel(model: string | null): Promise<void> {
    this.#memory.model = model ?? undefined;
  }

  async setPermissionMode(mode: string): Promise<void> {
    this.#memory.permissionMode = mode;
  }

  async close(): Promise<void> {
    this.#turn?.stop();
    this.#feed.close();
  }

  async *#play(turn: DemoTurn): AsyncGenerator<DemoMessage> {
    const stage = new Stage(turn);
    try {
      for await (const message of scriptFor(stage)) {
        yield message;
        turn.throwIfStopped();
      }
      yield* stage.acknowledgeSteers();
    } catch (error) {
      if (!(error instanceof TurnStopped)) throw error;
    }
    yield* stage.endMessage();
    this.#turn = undefined;
    this.#memory.turns += 1;
    yield turn.ending();
  }

  #throwIfGone(): void {
    if (this.#feed.isClosed) throw new RuntimeError("exited", "The demo agent is gone.");
  }
}

/** A session may set its own pace with the parameter `delay_ms`. */
function delayFrom(params: JsonObject | undefined): number | undefined {
  const delay = params?.delay_ms;
  return typeof delay === "number" && delay >= 0 ? Math.min(delay, 10_000) : undefined;
}
