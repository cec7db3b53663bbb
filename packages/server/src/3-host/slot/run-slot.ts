import { Semaphore } from "@turnwire/base";
import type { SessionHostOptions } from "../creation/session-host-options.ts";
import { SharedRunSlots, type SharedRunSlotsOptions } from "./shared-run-slot.ts";
import { sharingOf } from "@turnwire/log/list";
import { allBusy, type RunSlots, type SlotRequest } from "../../2-session/agent/slot-request.ts";

/** Limits how many agents live at once. A request that finds none free asks an idle one to make room, or waits. */
export class HostRunSlots implements RunSlots {
  readonly #semaphore: Semaphore;
  readonly #evictIdle: () => boolean;
  readonly #shared: SharedRunSlots | undefined;

  /**
   * `evictIdle` starts the hibernation of an idle session; true when it found one. `shared` limits
   * the agents of all hosts together.
   */
  constructor(limit: number, evictIdle: () => boolean, shared?: SharedRunSlots) {
    this.#semaphore = new Semaphore(limit);
    this.#evictIdle = evictIdle;
    this.#shared = shared;
  }

  get taken(): number {
    return this.#semaphore.taken;
  }

  async take(request: SlotRequest): Promise<() => void> {
    await this.#acquire(request);
    try {
      const giveBackShared = await this.#shared?.take(request);
      return () => {
        giveBackShared?.();
        this.#semaphore.release();
      };
    } catch (error) {
      this.#semaphore.release();
      throw error;
    }
  }

  offerIdle(): void {
    if (this.#semaphore.waiting > 0 || this.#shared?.isWanted === true) this.#evictIdle();
  }

  close(): void {
    this.#shared?.close();
  }

  async #acquire({ signal, isPatient, onWaiting }: SlotRequest): Promise<void> {
    signal.throwIfAborted();
    if (this.#semaphore.tryAcquire()) return;
    const { limit } = this.#semaphore;
    const isMakingRoom = this.#evictIdle();
    if (!isMakingRoom && !isPatient) throw allBusy({ limit, isShared: false });
    const freed = this.#semaphore.acquire(signal);
    if (!isMakingRoom) onWaiting?.({ limit, isShared: false });
    await freed;
  }
}

/** The slots of a host, with those that it shares with other hosts where their number is limited. */
export function createRunSlots(
  { store, maxLiveRuns = 16, maxSharedRuns }: SessionHostOptions,
  ports: Omit<SharedRunSlotsOptions, "sharing" | "limit">,
): HostRunSlots {
  const shared =
    maxSharedRuns === undefined
      ? undefined
      : new SharedRunSlots({ ...ports, sharing: sharingOf(store), limit: maxSharedRuns });
  return new HostRunSlots(maxLiveRuns, ports.evictIdle, shared);
}
