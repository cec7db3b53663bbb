import { type Clock, detach, startTimer } from "@turnwire/base";
import type { Sharing } from "@turnwire/log/list";

const QUEUE = "run-slot-queue/";
const NUMBERS = "run-slot-number";
/** The numbers start again after this long, which at most lets somebody pass once. */
const NUMBERS_MS = 365 * 86_400_000;
const RENEWAL_MS = 5_000;
/** How long the place of a host that died keeps those behind it waiting. */
const PLACE_MS = 2 * RENEWAL_MS;

interface SlotQueueOptions {
  readonly sharing: Sharing;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Those who wait for a slot on all hosts of a store, the longest first. */
export class SlotQueue {
  readonly #options: SlotQueueOptions;

  constructor(options: SlotQueueOptions) {
    this.#options = options;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#options.sharing.values.listValues(QUEUE)).size === 0;
  }

  /** Calls when somebody has come or gone. The returned function ends it. */
  watch(onChange: () => void): () => void {
    return this.#options.sharing.watch(QUEUE, onChange);
  }

  /** A place behind all others. */
  async join(id: string): Promise<SlotPlace> {
    const { count } = await this.#options.sharing.values.count(NUMBERS, NUMBERS_MS);
    const key = `${QUEUE}${String(count).padStart(16, "0")}-${id}`;
    return new SlotPlace(key, this.#options);
  }
}

/** One who waits; others see the place for as long as it is renewed. */
export class SlotPlace {
  readonly #key: string;
  readonly #options: SlotQueueOptions;
  #isDue = true;
  #cancel: () => void = () => undefined;

  constructor(key: string, options: SlotQueueOptions) {
    this.#key = key;
    this.#options = options;
  }

  /** Writes it where it is about to run out, by a timer: a clock that is set back must not keep it from that. */
  async renew(): Promise<void> {
    const { clock, sharing } = this.#options;
    if (!this.#isDue) return;
    this.#isDue = false;
    this.#cancel = startTimer(clock, RENEWAL_MS, () => {
      this.#isDue = true;
    });
    await sharing.values.writeValue(this.#key, "", { ttlMs: PLACE_MS });
  }

  async isFirst(): Promise<boolean> {
    const keys = await this.#options.sharing.values.listValues(QUEUE);
    const [first = this.#key] = keys.keys();
    return first >= this.#key;
  }

  leave(): void {
    const { sharing, onError } = this.#options;
    this.#cancel();
    detach(sharing.values.takeValue(this.#key), onError);
  }
}
