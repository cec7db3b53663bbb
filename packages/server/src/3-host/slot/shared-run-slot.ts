import { randomUUID } from "node:crypto";
import { type Clock, detach, startTimer } from "@turnwire/base";
import type { Slot } from "@turnwire/log";
import type { Sharing } from "@turnwire/log/list";
import { SlotQueue } from "./slot-queue.ts";
import { allBusy, type SlotRequest } from "../../2-session/agent/slot-request.ts";

const POOL = "run";
/** Changes when a host waits for a slot, so that the others let an idle agent go. */
const WANTED = "run-slot-wanted";
/** Hints may be lost: whoever waits looks again after this long. */
const LOOK_MS = 1_000;
/** How long a wish counts; whoever still waits renews it. */
const WISH_MS = 5_000;

export interface SharedRunSlotsOptions {
  readonly sharing: Sharing;
  /** As which this process holds its sessions: the slots of one that died are free. */
  readonly holder: string;
  readonly limit: number;
  readonly clock: Clock;
  /** Starts the hibernation of an idle session here; true when it found one. */
  readonly evictIdle: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Limits how many agents live at once on all hosts of a store together. */
export class SharedRunSlots {
  readonly #options: SharedRunSlotsOptions;
  readonly #queue: SlotQueue;
  readonly #closing = new AbortController();
  readonly #stopWatch: () => void;
  readonly #waiting = new Set<() => void>();
  /** Ends what others wish for; undefined while they wish for nothing. */
  #cancelWish: (() => void) | undefined;

  constructor(options: SharedRunSlotsOptions) {
    const { sharing } = options;
    this.#options = options;
    this.#queue = new SlotQueue(options);
    const stops = [
      sharing.watch(WANTED, () => {
        this.#takeWish();
        options.evictIdle();
      }),
      sharing.watch(`slot/${POOL}`, () => this.#recheck()),
      this.#queue.watch(() => this.#recheck()),
    ];
    this.#stopWatch = () => {
      for (const stop of stops) stop();
    };
  }

  /** Whether some host waits for a slot. */
  get isWanted(): boolean {
    return this.#cancelWish !== undefined;
  }

  /** Waits for a slot, behind those who have waited longer on any host; answers with how to give it back. */
  async take(request: SlotRequest): Promise<() => void> {
    const slot: Slot = { id: randomUUID(), holder: this.#options.holder };
    const giveBack = (): void => this.#giveBack(slot.id);
    try {
      const isFree = (await this.#queue.isEmpty()) && (await this.#tryTake(slot));
      if (!isFree) await this.#waitFor(slot, request);
      request.signal.throwIfAborted();
      return giveBack;
    } catch (error) {
      // Also when it is unknown whether the store has taken it.
      giveBack();
      throw error;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#stopWatch();
    this.#endWish();
  }

  #takeWish(): void {
    this.#endWish();
    const { clock } = this.#options;
    this.#cancelWish = startTimer(clock, WISH_MS + LOOK_MS, () => this.#endWish());
  }

  #endWish(): void {
    this.#cancelWish?.();
    this.#cancelWish = undefined;
  }

  async #waitFor(slot: Slot, request: SlotRequest): Promise<void> {
    const { limit, clock, evictIdle } = this.#options;
    const isMakingRoom = evictIdle();
    if (!isMakingRoom && !request.isPatient) throw allBusy({ limit, isShared: true });
    if (!isMakingRoom) request.onWaiting?.({ limit, isShared: true });
    const wish = new Wish(clock, () => this.#wish());
    const place = await this.#queue.join(slot.id);
    try {
      for (;;) {
        // Before it looks: what is given back while it does must not be missed.
        const change = this.#nextChange(request.signal);
        try {
          await place.renew();
          await wish.renew();
          if ((await place.isFirst()) && (await this.#tryTake(slot))) return;
          await change.happened;
        } finally {
          change.stop();
        }
        request.signal.throwIfAborted();
      }
    } finally {
      wish.stop();
      place.leave();
    }
  }

  #tryTake(slot: Slot): Promise<boolean> {
    const { sharing, limit } = this.#options;
    return sharing.values.takeSlot(POOL, slot, limit);
  }

  async #wish(): Promise<void> {
    const { values } = this.#options.sharing;
    await values.writeValue(WANTED, randomUUID(), { ttlMs: WISH_MS });
  }

  /** When a slot may be free, or it is time to look again, or it is not needed any more. */
  #nextChange(signal: AbortSignal): {
    readonly happened: Promise<void>;
    readonly stop: () => void;
  } {
    const ended = new AbortController();
    const stop = (): void => ended.abort();
    const happened = new Promise<void>((resolve) => {
      ended.signal.addEventListener("abort", () => resolve());
    });
    const cancel = startTimer(this.#options.clock, LOOK_MS, stop);
    signal.addEventListener("abort", stop, { signal: ended.signal });
    this.#waiting.add(stop);
    ended.signal.addEventListener("abort", () => {
      cancel();
      this.#waiting.delete(stop);
    });
    if (signal.aborted) stop();
    return { happened, stop };
  }

  #recheck(): void {
    for (const recheck of this.#waiting) recheck();
  }

  #giveBack(id: string): void {
    detach(this.#release(id), this.#options.onError);
  }

  /** Tries until the store has it: a slot that stayed taken would be lost for as long as this process lives. */
  async #release(id: string): Promise<void> {
    const { sharing, clock, onError } = this.#options;
    const { signal } = this.#closing;
    for (;;) {
      try {
        return await sharing.values.releaseSlot(POOL, id);
      } catch (error) {
        if (signal.aborted) return;
        onError(error);
        await clock.wait(LOOK_MS, signal);
      }
    }
  }
}

/** What a host that waits wishes for, made known to the others for as long as it waits. */
class Wish {
  readonly #clock: Clock;
  readonly #write: () => Promise<void>;
  #isDue = true;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, write: () => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Writes it where it has run out, by a timer: a clock that is set back must not keep it from that. */
  async renew(): Promise<void> {
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#cancel = startTimer(this.#clock, WISH_MS, () => {
      this.#isDue = true;
    });
    await this.#write();
  }

  stop(): void {
    this.#cancel();
  }
}
