import { createHash } from "node:crypto";
import type { Clock } from "@turnwire/base";
import type { SharedValues } from "@turnwire/log";

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

export interface FailureLimitOptions {
  readonly perMinute: number;
  readonly clock: Clock;
  /** Where failures are counted together with those on other hosts; each process counts alone without it. */
  readonly values?: SharedValues | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * Counts failures by address and minute, in a table that cannot grow without end. What other hosts
 * counted is asked for at most as often as an address may fail here.
 */
export class FailureLimit {
  readonly #options: FailureLimitOptions;
  readonly #windows = new Map<string, { readonly until: number; failures: number }>();

  #read: number;
  #passed = 0;

  constructor(options: FailureLimitOptions) {
    this.#options = options;
    this.#read = options.clock.now();
  }

  /** Counts a failure; the seconds to wait when there were too many before it, else 0. */
  async add(address: string): Promise<number> {
    const network = networkOf(address);
    const wait = this.#waitSeconds(network);
    if (wait > 0) return wait;
    this.#count(network);
    return this.#addShared(network);
  }

  /** While the store does not answer, the count of this process has to do. */
  async #addShared(network: string): Promise<number> {
    const { values, perMinute, onError } = this.#options;
    if (!values) return 0;
    try {
      const { count, resetInMs } = await values.count(keyOf(network), WINDOW_MS);
      if (count <= perMinute) return 0;
      this.#set(network, { until: this.#elapsed() + resetInMs, failures: perMinute });
      return Math.max(1, Math.ceil(resetInMs / 1000));
    } catch (error) {
      onError(error);
      return 0;
    }
  }

  #waitSeconds(network: string): number {
    const window = this.#windows.get(network);
    if (!window || window.failures < this.#options.perMinute) return 0;
    return Math.max(0, Math.ceil((window.until - this.#elapsed()) / 1000));
  }

  #count(network: string): void {
    const now = this.#elapsed();
    const window = this.#windows.get(network);
    if (window && now < window.until) window.failures += 1;
    else this.#set(network, { until: now + WINDOW_MS, failures: 1 });
  }

  #set(network: string, window: { readonly until: number; failures: number }): void {
    this.#windows.delete(network);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    this.#windows.set(network, window);
  }

  /** Time that never goes back: a clock that is set back must not keep an address out for longer. */
  #elapsed(): number {
    const now = this.#options.clock.now();
    this.#passed += Math.max(0, now - this.#read);
    this.#read = now;
    return this.#passed;
  }
}

/** A digest: an address may be any text that an embedder's hook answers, and it concerns no reader of the store. */
function keyOf(network: string): string {
  return `auth-failures/${createHash("sha256").update(network).digest("hex").slice(0, 32)}`;
}

/** One household has a whole /64 of IPv6 addresses, but one of IPv4. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  return plain.includes(":") ? plain.split(":").slice(0, 4).join(":") : plain;
}
