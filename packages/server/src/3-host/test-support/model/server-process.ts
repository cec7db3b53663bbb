import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import type { Store } from "@turnwire/log";
import { ManualClock } from "../../../../../base/src/test-support/manual-clock.ts";
import { directEvaluator } from "../../../2-session/test-support/direct-evaluator.ts";
import { SessionHost } from "../../session-host.ts";
import { FaultyStore } from "./faulty-store.ts";
import type { Journal } from "./journal.ts";
import { ModelRuntime } from "./model-runtime.ts";
import { type History, idleMs, interruptMs, requestTimeoutMs } from "./step.ts";

export interface ProcessOptions {
  readonly disk: Store;
  readonly journal: Journal;
  readonly now: number;
  readonly settings: Pick<History, "maxLiveRuns" | "retainEvents">;
}

/** One life of the server: a host with its agents and its way to the disk. It ends by closing or by a crash. */
export class ServerProcess {
  /** The holder of its leases. */
  readonly id = randomUUID();
  readonly host: SessionHost;
  readonly runtime: ModelRuntime;
  readonly store: FaultyStore;
  readonly clock: ManualClock;
  /** What the host reported. */
  readonly errors: unknown[] = [];
  /** What commands rejected with; the transport makes answers of it. */
  readonly thrown: unknown[] = [];
  isCrashed = false;
  isClosing = false;
  readonly #disk: Store;

  constructor({ disk, journal, now, settings }: ProcessOptions) {
    this.runtime = new ModelRuntime(journal);
    this.#disk = disk;
    this.store = new FaultyStore(disk, this.id);
    this.clock = new ManualClock(now);
    this.host = new SessionHost({
      evaluator: directEvaluator,
      store: this.store.store,
      hostId: this.id,
      runtimes: [this.runtime],
      defaultRuntime: this.runtime.name,
      roots: [tmpdir()],
      clock: this.clock,
      idleMs,
      interruptMs,
      requestTimeoutMs,
      maxLiveRuns: settings.maxLiveRuns,
      ...(settings.retainEvents !== undefined && { retainEvents: settings.retainEvents }),
      onError: (error) => this.errors.push(error),
    });
  }

  close(): Promise<void> {
    this.isClosing = true;
    return this.host.close();
  }

  /** Nothing of it reaches the disk or a client any more. The next process has the disk to itself, so it knows. */
  async crash(): Promise<void> {
    this.isCrashed = true;
    this.store.crash();
    this.runtime.crash();
    await this.#disk.removeHolder(this.id);
  }

  /** From now on nothing is slow and nothing fails. */
  calm(): void {
    this.store.calm();
    this.runtime.calm();
  }
}
