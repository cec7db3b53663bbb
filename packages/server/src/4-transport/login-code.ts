import { limits } from "@turnwire/protocol";
import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@turnwire/base";

const MAX_CODES = 100;

/** What a login link was made for. */
export interface LoginLink {
  /** What the log-in will be called; by its browser otherwise. */
  readonly name?: string;
}

/** Codes of login links: random, good once, for ten minutes. Only their digests are kept. */
export class LoginCodes {
  readonly #clock: Clock;
  readonly #issued = new Map<string, { readonly expiry: number; readonly link: LoginLink }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(link: LoginLink): string {
    const code = randomBytes(24).toString("base64url");
    const [oldest] = this.#issued.keys();
    if (this.#issued.size >= MAX_CODES && oldest !== undefined) this.#issued.delete(oldest);
    this.#issued.set(digest(code), { expiry: this.#clock.now() + limits.loginCodeMs, link });
    return code;
  }

  /** Whether a code would be redeemed now. */
  isGood(code: string): boolean {
    const issued = this.#issued.get(digest(code));
    return issued !== undefined && this.#clock.now() < issued.expiry;
  }

  /** The link of a code, once for each code, while it lives. */
  redeem(code: string): LoginLink | undefined {
    const key = digest(code);
    const issued = this.#issued.get(key);
    this.#issued.delete(key);
    return issued && this.#clock.now() < issued.expiry ? issued.link : undefined;
  }
}

function digest(value: string): string {
  return createHash("sha256").update(value).digest("hex");
}
