import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../1-runtime/clock.ts";
import { isSameSecret } from "./secret.ts";

const CODE_LIFE_MS = 10 * 60_000;
const COOKIE_LIFE_MS = 30 * 24 * 60 * 60_000;
const MAX_CODES = 100;

/** Codes of login links: random, good once, for ten minutes. Only their digests are kept. */
export class LoginCodes {
  readonly #clock: Clock;
  readonly #expiries = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  issue(): string {
    const code = randomBytes(24).toString("base64url");
    const [oldest] = this.#expiries.keys();
    if (this.#expiries.size >= MAX_CODES && oldest !== undefined) this.#expiries.delete(oldest);
    this.#expiries.set(digest(code), this.#clock.now() + CODE_LIFE_MS);
    return code;
  }

  /** True once for each code, while it lives. */
  redeem(code: string): boolean {
    const key = digest(code);
    const expiry = this.#expiries.get(key);
    this.#expiries.delete(key);
    return expiry !== undefined && this.#clock.now() < expiry;
  }
}

/**
 * The cookie of a browser that followed a login link: `<expiry>.<nonce>.<signature>`.
 * It is signed with a key made from the token, so it outlives a restart but not a new token,
 * and nobody can work out the token from it.
 */
export class LoginCookie {
  /** Differs by token: cookies know no ports, and two servers on one machine must not share one. */
  readonly name: string;
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(token: string, clock: Clock) {
    this.#key = createHmac("sha256", token).update("turnwire login cookie").digest();
    this.name = `turnwire_${digest(this.#key).slice(0, 8)}`;
    this.#clock = clock;
  }

  /** The value of a Set-Cookie header. */
  issue(options: { isSecure: boolean }): string {
    const claim = `${this.#clock.now() + COOKIE_LIFE_MS}.${randomBytes(16).toString("hex")}`;
    const secure = options.isSecure ? "; Secure" : "";
    const life = `Max-Age=${COOKIE_LIFE_MS / 1000}`;
    return `${this.name}=${claim}.${this.#sign(claim)}; ${life}; Path=/; HttpOnly; SameSite=Strict${secure}`;
  }

  isIn(header: string | undefined): boolean {
    const pairs = (header ?? "").split(";").map((pair) => pair.trim());
    return pairs.some((pair) => {
      if (!pair.startsWith(`${this.name}=`)) return false;
      const [expiry = "", nonce = "", signature = ""] = pair.slice(this.name.length + 1).split(".");
      const isOurs = isSameSecret(signature, this.#sign(`${expiry}.${nonce}`));
      return isOurs && this.#clock.now() < Number(expiry);
    });
  }

  #sign(claim: string): string {
    return createHmac("sha256", this.#key).update(claim).digest("hex");
  }
}

function digest(value: string | Buffer): string {
  return createHash("sha256").update(value).digest("hex");
}
