import { RuntimeError } from "../1-runtime/runtime.ts";

export interface SlotRequest {
  /** Rejects the request when it aborts before a slot is free. */
  readonly signal: AbortSignal;
  /** Whether to wait while every agent is at work; otherwise that rejects as `busy`. */
  readonly isPatient: boolean;
  /** Called when it has to wait although no idle agent could make room. */
  readonly onWaiting?: () => void;
}

/** Limits how many agents live at once. Whoever finds none free asks an idle one to make room, or waits. */
export class RunSlots {
  readonly #limit: number;
  readonly #evictIdle: () => boolean;
  #waiting: (() => void)[] = [];
  #taken = 0;

  /** `evictIdle` starts the hibernation of an idle session; true when it found one. */
  constructor(limit: number, evictIdle: () => boolean) {
    this.#limit = limit;
    this.#evictIdle = evictIdle;
  }

  get taken(): number {
    return this.#taken;
  }

  get limit(): number {
    return this.#limit;
  }

  async acquire({ signal, isPatient, onWaiting }: SlotRequest): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limit) {
      this.#taken += 1;
      return;
    }
    const isMakingRoom = this.#evictIdle();
    if (!isMakingRoom && !isPatient) {
      throw new RuntimeError(
        "busy",
        `All ${this.#limit} agents this server runs at once are at work: try again later.`,
      );
    }
    const freed = this.#wait(signal);
    if (!isMakingRoom) onWaiting?.();
    await freed;
  }

  /** Hands the slot to the one that has waited longest. */
  release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken -= 1;
  }

  /** A session became idle: another may be waiting for its slot. */
  offerIdle(): void {
    if (this.#waiting.length > 0) this.#evictIdle();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}
