import { tmpdir } from "node:os";
import type { Store } from "@turnwire/log";
import { ManualClock } from "../../../../../base/src/test-support/manual-clock.ts";
import { directEvaluator } from "../../../2-session/test-support/direct-evaluator.ts";
import { SessionHost } from "../../session-host.ts";
import { runTurnsToRest } from "../model/event-loop.ts";
import type { Journal } from "../model/journal.ts";
import type { ModelRun } from "../model/model-run.ts";
import { ModelRuntime } from "../model/model-runtime.ts";
import { drainLimitMs, DrainWatch } from "./drain-watch.ts";
import { HostStore } from "./host-store.ts";

export const leaseMs = 10_000;

/** How finely time passes for a host that drains: as often as it looks. */
const DRAIN_STEP_MS = 100;

export interface ModelHostOptions {
  readonly id: string;
  readonly disk: Store;
  readonly journal: Journal;
  readonly now: number;
  readonly random: () => number;
  readonly storage: string;
  readonly idleMs?: number;
  readonly maxSharedRuns?: number;
}

/** One of several hosts over one store, with its agents and its own clock. */
export class ModelHost {
  readonly host: SessionHost;
  readonly runtime: ModelRuntime;
  /** The time that passes for it; what it takes the time of day for may be wrong. */
  readonly clock: ManualClock;
  readonly errors: unknown[] = [];
  isCrashed = false;
  isClosed = false;
  isFrozen = false;
  isCut = false;
  /** Undefined until it drains, and when something else befalls it. */
  drainWatch: DrainWatch | undefined;
  readonly #store: HostStore;
  readonly #crashListeners: (() => void)[] = [];
  #missedMs = 0;
  #clockErrorMs = 0;
  readonly #areAgentsFew: boolean;
  #hadFault = false;
  #isDraining = false;

  constructor({ id, disk, journal, now, ...settings }: ModelHostOptions) {
    this.#store = new HostStore(disk);
    this.#areAgentsFew = settings.maxSharedRuns !== undefined;
    this.runtime = new ModelRuntime(journal);
    this.clock = new ManualClock(now);
    this.host = new SessionHost({
      evaluator: directEvaluator,
      ...settings,
      store: this.#store.store,
      hostId: id,
      leaseMs,
      runtimes: [this.runtime],
      defaultRuntime: this.runtime.name,
      roots: [tmpdir()],
      clock: {
        now: () => this.clock.now() + this.#clockErrorMs,
        wait: (ms, signal) => this.clock.wait(ms, signal),
      },
      onError: (error) => this.errors.push(error),
    });
  }

  /** It can be asked for something and may answer. */
  get isUp(): boolean {
    return !this.isCrashed && !this.isClosed;
  }

  async advance(ms: number): Promise<void> {
    if (this.isFrozen) this.#missedMs += ms;
    else if (!this.isCrashed) await this.#pass(ms);
  }

  /** The turn that an agent works at comes to its end. */
  finish(run: ModelRun): void {
    if (run.turnId === undefined) return;
    this.drainWatch?.noteEnd(run.turnId, this.clock.now());
    run.finish();
  }

  /** Its clock is set; its timers continue as before. */
  setClock(byMs: number): void {
    this.#clockErrorMs += byMs;
  }

  pause(): void {
    this.#suffer();
    this.isFrozen = true;
    this.#store.pause();
  }

  /** Continues, and finds that time has passed. */
  async resume(): Promise<void> {
    if (!this.isFrozen) return;
    this.isFrozen = false;
    this.#store.resume();
    const missed = this.#missedMs;
    this.#missedMs = 0;
    await this.#pass(missed);
  }

  cut(): void {
    this.#suffer();
    this.isCut = true;
    this.#store.cut();
  }

  /** Hears nothing of what happens in the store, and does not know that. */
  deafen(): void {
    this.#store.isDeaf = true;
  }

  hear(): void {
    this.#store.isDeaf = false;
  }

  heal(): void {
    if (!this.isCut) return;
    this.isCut = false;
    this.#store.heal();
  }

  onCrash(listener: () => void): void {
    this.#crashListeners.push(listener);
  }

  crash(): void {
    this.#suffer();
    this.isCrashed = true;
    for (const listener of this.#crashListeners) listener();
    this.#store.crash();
    this.runtime.crash();
  }

  /** Resolves when it has drained and closed; false where it was drained or closed already. */
  async drain(): Promise<boolean> {
    if (this.#isDraining || !this.isUp) return false;
    this.#isDraining = true;
    if (!this.#hadFault) this.drainWatch = new DrainWatch(this.clock.now(), this.#areAgentsFew);
    await this.host.drain({ limitMs: drainLimitMs });
    this.drainWatch?.noteDrained(this.runtime.openRuns, this.clock.now());
    if (!this.isUp) return false;
    await this.close();
    return true;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.host.close();
  }

  async #pass(ms: number): Promise<void> {
    const step = this.#isDraining ? DRAIN_STEP_MS : ms;
    for (let left = ms; left > 0; left -= step) {
      await this.clock.advance(Math.min(left, step));
      await runTurnsToRest(1);
      this.drainWatch?.look(this.runtime.openRuns, this.clock.now());
    }
  }

  /** What it promises when it drains no longer holds. */
  #suffer(): void {
    this.#hadFault = true;
    this.drainWatch = undefined;
  }
}
