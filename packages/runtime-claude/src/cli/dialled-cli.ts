import { type Clock, startTimer } from "@turnwire/base";
import type { JsonObject } from "@turnwire/protocol";
import { MessageQueue } from "@turnwire/runtime/process";
import { RuntimeError, type CliLink } from "@turnwire/runtime";

/** What comes from the CLI. */
export type Arrival =
  /** `isReplay`: it may be one that the CLI repeats because it has dialled in again. */
  | { readonly type: "line"; readonly line: string; readonly isReplay: boolean }
  | { readonly type: "replay_ended" };

export interface DialledCliOptions {
  /** The provider's id of the conversation. */
  readonly sessionId: string;
  readonly clock: Clock;
  /** How long it may be disconnected before it counts as lost. */
  readonly returnMs: number;
  /** What it reported when it was initialized; nothing where an earlier server did that. */
  readonly introduction: JsonObject | undefined;
  /** Nothing more comes of it. `link` is there where the connection is still open and no one needs it any more. */
  readonly onEnded: (link: CliLink | undefined) => void;
}

/**
 * A CLI that dialled in: one conversation, over one connection after the other. What is written while
 * there is no connection waits for the next.
 */
export class DialledCli {
  readonly sessionId: string;
  readonly introduction: JsonObject | undefined;
  readonly arrivals = new MessageQueue<Arrival>();
  readonly #options: DialledCliOptions;
  #link: CliLink | undefined;
  #onLink: (() => void)[] = [];
  #failure: RuntimeError | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(options: DialledCliOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.introduction = options.introduction;
  }

  get isConnected(): boolean {
    return this.#link !== undefined;
  }

  /** Answers with the connection that this one takes the place of. */
  attach(link: CliLink): CliLink | undefined {
    const earlier = this.#link === link ? undefined : this.#link;
    this.#cancelTimer();
    this.#link = link;
    this.#wake();
    return earlier;
  }

  /** The connection is over; nothing happens where another has taken its place. */
  detach(link: CliLink): void {
    if (this.#link !== link || this.#failure) return;
    this.#link = undefined;
    const { clock, returnMs } = this.#options;
    const seconds = Math.round(returnMs / 1000);
    this.#cancelTimer = startTimer(clock, returnMs, () =>
      this.#end(`The Claude CLI is gone: it has not dialled in again for ${seconds} s.`),
    );
  }

  /** Resolves when there is room for more. */
  async push(arrival: Arrival): Promise<void> {
    this.arrivals.push(arrival);
    if (this.arrivals.isFull) await this.arrivals.room();
  }

  /** Resolves when a connection has taken the line; rejects when there will be none. */
  async write(line: string): Promise<void> {
    while (!this.#failure) {
      const link = this.#link;
      if (!link) {
        await new Promise<void>((resolve) => this.#onLink.push(resolve));
        continue;
      }
      try {
        return await link.write(line);
      } catch {
        this.detach(link);
      }
    }
    throw this.#failure;
  }

  /** The CLI has begun another conversation on the same connection. */
  leave(): void {
    this.#link = undefined;
    this.#end("The Claude CLI has begun another conversation.");
  }

  /** Whoever worked with it does so no longer. */
  release(): void {
    this.#end("The Claude CLI was let go.");
  }

  #end(message: string): void {
    if (this.#failure) return;
    this.#failure = new RuntimeError("exited", message);
    this.#cancelTimer();
    this.arrivals.fail(this.#failure);
    this.#wake();
    this.#options.onEnded(this.#link);
  }

  #wake(): void {
    for (const wake of this.#onLink.splice(0)) wake();
  }
}
