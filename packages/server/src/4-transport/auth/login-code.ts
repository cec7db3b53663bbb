import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@turnwire/base";
import { limits } from "@turnwire/protocol";
import type { SharedValues } from "@turnwire/log";
import * as z from "zod";
import { jsonFrom } from "@turnwire/log/list";

const MAX_CODES = 100;

/** What a login link was made for. */
export interface LoginLink {
  /** What the log-in will be called; by its browser otherwise. */
  readonly name?: string;
}

const IssuedCode = z.object({ issued_at: z.number(), name: z.string().optional() });

/**
 * Codes of login links: random, good once, for ten minutes, on every host of the store. Only their
 * digests are stored.
 */
export class LoginCodes {
  readonly #values: SharedValues;
  readonly #prefix: string;
  readonly #clock: Clock;

  /** `serverId` differs by token: a code is good only where the token is that of its issuer. */
  constructor(values: SharedValues, serverId: string, clock: Clock) {
    this.#values = values;
    this.#prefix = `login-code/${serverId}/`;
    this.#clock = clock;
  }

  /** Resolves when the code would be redeemed on any host. */
  async issue(link: LoginLink): Promise<string> {
    await this.#makeRoom();
    const code = randomBytes(24).toString("base64url");
    const value = JSON.stringify({ issued_at: this.#clock.now(), ...link });
    await this.#values.writeValue(this.#keyOf(code), value, { ttlMs: limits.loginCodeMs });
    return code;
  }

  /** Whether a code would be redeemed now. */
  async isGood(code: string): Promise<boolean> {
    return (await this.#values.readValue(this.#keyOf(code))) !== undefined;
  }

  /** The link of a code, once for each code, while it lives. */
  async redeem(code: string): Promise<LoginLink | undefined> {
    const value = await this.#values.takeValue(this.#keyOf(code));
    const issued = value === undefined ? undefined : issuedFrom(value);
    if (!issued) return undefined;
    return issued.name === undefined ? {} : { name: issued.name };
  }

  /** The oldest go where there are too many. */
  async #makeRoom(): Promise<void> {
    const issued = await this.#values.listValues(this.#prefix);
    if (issued.size < MAX_CODES) return;
    const oldestFirst = [...issued].toSorted((a, b) => issuedAt(a[1]) - issuedAt(b[1]));
    for (const [key] of oldestFirst.slice(0, issued.size - MAX_CODES + 1)) {
      await this.#values.takeValue(key);
    }
  }

  #keyOf(code: string): string {
    return this.#prefix + createHash("sha256").update(code).digest("hex");
  }
}

function issuedFrom(value: string): z.infer<typeof IssuedCode> | undefined {
  return IssuedCode.safeParse(jsonFrom(value)).data;
}

function issuedAt(value: string): number {
  return issuedFrom(value)?.issued_at ?? 0;
}
