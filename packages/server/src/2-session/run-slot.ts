import { Semaphore } from "@turnwire/base";
import { RuntimeError } from "../1-runtime/runtime.ts";

export interface SlotRequest {
  /** Rejects the request when it aborts before a slot is free. */
  readonly signal: AbortSignal;
  /** Whether to wait while every agent is at work; otherwise that rejects as `busy`. */
  readonly isPatient: boolean;
  /** Called when it has to wait although no idle agent could make room. */
  readonly onWaiting?: () => void;
}

/** Limits how many agents live at once. A request that finds none free asks an idle one to make room, or waits. */
export class RunSlots {
  readonly #semaphore: Semaphore;
  readonly #evictIdle: () => boolean;

  /** `evictIdle` starts the hibernation of an idle session; true when it found one. */
  constructor(limit: number, evictIdle: () => boolean) {
    this.#semaphore = new Semaphore(limit);
    this.#evictIdle = evictIdle;
  }

  get taken(): number {
    return this.#semaphore.taken;
  }

  get limit(): number {
    return this.#semaphore.limit;
  }

  async acquire({ signal, isPatient, onWaiting }: SlotRequest): Promise<void> {
    signal.throwIfAborted();
    if (this.#semaphore.tryAcquire()) return;
    const isMakingRoom = this.#evictIdle();
    if (!isMakingRoom && !isPatient) {
      throw new RuntimeError(
        "busy",
        `All ${this.limit} agents this server runs at once are at work: try again later.`,
      );
    }
    const freed = this.#semaphore.acquire(signal);
    if (!isMakingRoom) onWaiting?.();
    await freed;
  }

  /** Hands the slot to the request that has waited longest. */
  release(): void {
    this.#semaphore.release();
  }

  /** A session became idle: another may be waiting for its slot. */
  offerIdle(): void {
    if (this.#semaphore.waiting > 0) this.#evictIdle();
  }
}

/** Waits for a slot; answers with how to give it back. */
export async function takeSlot(slots: RunSlots, request: SlotRequest): Promise<() => void> {
  await slots.acquire(request);
  return () => slots.release();
}
