import type { SessionEvent } from "@turnwire/protocol";
import { clientErrorFrom } from "./client-error.ts";
import {
  initialConnection,
  type ConnectionAction,
  type ConnectionInput,
  type ConnectionState,
  type Sequenced,
  type Snapshot,
  type StartingPoint,
} from "./connection-state.ts";
import { step } from "./connection-step.ts";
import { detach } from "./detach.ts";
import type { AbortSignal, Platform } from "./platform.ts";
import type { Cursor, OpenStream } from "./stream.ts";

/** Something new: events, a snapshot that replaces everything before, or only another connection state. */
export interface Update<Event extends Sequenced = SessionEvent> {
  readonly connection: ConnectionState;
  readonly events: readonly Event[];
  readonly snapshot?: Snapshot;
}

export interface FollowOptions<Event extends Sequenced = SessionEvent> {
  readonly platform: Platform;
  readonly from: StartingPoint;
  readonly openStream: OpenStream<Event>;
  readonly takeSnapshot: (signal: AbortSignal) => Promise<Snapshot>;
  /** Called once for all that one chunk brought; no more is read until the promise it may return is settled. */
  readonly onUpdate: (update: Update<Event>) => Promise<void> | undefined;
}

/** Something that is being followed. */
export interface Following {
  /** Tries again at once, also after a final failure. */
  reconnect(): void;
  /** Safe to call twice. */
  stop(): void;
}

/** Follows a log until it ends or is stopped. */
export function follow<Event extends Sequenced>(options: FollowOptions<Event>): Following {
  const follower = new Follower(options);
  follower.reconnect();
  return follower;
}

type Report<Event extends Sequenced> = Extract<ConnectionAction<Event>, { type: "report" }>;

class Follower<Event extends Sequenced> implements Following {
  readonly #options: FollowOptions<Event>;
  readonly #stopHints: () => void;
  #state: ConnectionState;
  /** Releases the open stream or cancels the pending snapshot. */
  #release: () => void = () => {};
  /** Distinguishes callbacks of the newest stream or snapshot from those of older ones. */
  #attempt = {};
  #stopTimer: () => void = () => {};
  #busyListeners = 0;

  constructor(options: FollowOptions<Event>) {
    this.#options = options;
    this.#state = initialConnection(options.from);
    this.#stopHints = options.platform.onHint((hint) => this.#input({ type: hint }));
  }

  reconnect(): void {
    this.#input({ type: "start" });
  }

  stop(): void {
    this.#input({ type: "stop" });
  }

  #input(input: ConnectionInput<Event>): void {
    detach(this.#take(input), this.#options.platform);
  }

  /** Acts at once; resolves when the listener is ready for more. */
  #take(input: ConnectionInput<Event>): Promise<void> {
    const { platform } = this.#options;
    const at = { now: platform.now(), random: platform.random() };
    const { state, actions } = step(this.#state, input, at);
    this.#state = state;
    if (state.type === "closed") this.#stopHints();
    let ready: Promise<void> = Promise.resolve();
    for (const action of actions) {
      if (action.type === "report") ready = this.#report(action);
      else this.#act(action);
    }
    return ready;
  }

  #act(action: Exclude<ConnectionAction<Event>, Report<Event>>): void {
    switch (action.type) {
      case "open":
        this.#open(action);
        return;
      case "take_snapshot":
        this.#takeSnapshot();
        return;
      case "wait":
        this.#wait(action.ms);
        return;
      case "cancel":
        this.#stopTimer();
        this.#attempt = {};
        this.#release();
        return;
    }
  }

  async #report({ events, snapshot }: Report<Event>): Promise<void> {
    const { platform, onUpdate } = this.#options;
    const update = { connection: this.#state, events, ...(snapshot && { snapshot }) };
    try {
      const work = onUpdate(update);
      if (work) await this.#busyWith(work);
    } catch (error) {
      platform.reportError(error);
    }
  }

  async #busyWith(work: Promise<void>): Promise<void> {
    this.#busyListeners += 1;
    try {
      await work;
    } finally {
      this.#busyListeners -= 1;
    }
  }

  #open(cursor: Cursor): void {
    const attempt = {};
    this.#attempt = attempt;
    const take = async (input: ConnectionInput<Event>): Promise<void> => {
      if (this.#attempt === attempt) await this.#take(input);
    };
    this.#release = this.#options.openStream(cursor, {
      opened: (verdict) => take({ type: "opened", verdict }),
      received: (batch) => take({ type: "received", batch }),
      ended: () => take({ type: "ended" }),
      failed: (error) => take({ type: "failed", error }),
    });
  }

  #takeSnapshot(): void {
    const attempt = {};
    this.#attempt = attempt;
    const { platform, takeSnapshot } = this.#options;
    const abort = platform.createAbort();
    this.#release = () => abort.abort();
    const arrive = async (): Promise<void> => {
      const input = await snapshotInput(takeSnapshot(abort.signal));
      if (this.#attempt === attempt) await this.#take(input);
    };
    detach(arrive(), platform);
  }

  #wait(ms: number): void {
    this.#stopTimer();
    if (ms === Infinity) return;
    this.#stopTimer = this.#options.platform.startTimer(() => {
      this.#input({ type: this.#busyListeners > 0 ? "busy" : "timer" });
    }, ms);
  }
}

async function snapshotInput(taking: Promise<Snapshot>): Promise<ConnectionInput<never>> {
  try {
    return { type: "snapshot", snapshot: await taking };
  } catch (thrown) {
    return { type: "failed", error: clientErrorFrom(thrown) };
  }
}
