import type { Clock } from "@turnwire/base";

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts failures by address and minute, in a table that cannot grow without end. */
export class FailureLimit {
  readonly #perMinute: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, { readonly until: number; failures: number }>();

  #read: number;
  #passed = 0;

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
    this.#read = clock.now();
  }

  /** Seconds until the address may fail again; 0 while it may. */
  waitSeconds(address: string): number {
    const window = this.#windows.get(networkOf(address));
    if (!window || window.failures < this.#perMinute) return 0;
    return Math.max(0, Math.ceil((window.until - this.#elapsed()) / 1000));
  }

  add(address: string): void {
    const key = networkOf(address);
    const now = this.#elapsed();
    const window = this.#windows.get(key);
    if (window && now < window.until) {
      window.failures += 1;
      return;
    }
    this.#windows.delete(key);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size >= MAX_ADDRESSES && oldest !== undefined) this.#windows.delete(oldest);
    this.#windows.set(key, { until: now + WINDOW_MS, failures: 1 });
  }

  /** Time that never goes back: a clock that is set back must not keep an address out for longer. */
  #elapsed(): number {
    const now = this.#clock.now();
    this.#passed += Math.max(0, now - this.#read);
    this.#read = now;
    return this.#passed;
  }
}

/** One household has a whole /64 of IPv6 addresses, but one of IPv4. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/i, "");
  return plain.includes(":") ? plain.split(":").slice(0, 4).join(":") : plain;
}
