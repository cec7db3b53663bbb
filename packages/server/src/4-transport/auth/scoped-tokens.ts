import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type CreatedToken,
  type CreateToken,
  limits,
  type Principal,
  rejected,
  type Result,
  type TokenInfo,
} from "@turnwire/protocol";
import { tokenKind, type TokenRecord } from "./credential-store.ts";
import type { CredentialTable } from "./credential-table.ts";
import { isSameSecret } from "./secret.ts";

/** Programs that look for leaked secrets find it by its beginning. */
const SCOPED_TOKEN = /^turnwire_([0-9a-f]{16})_([\w-]{43})$/;

export interface ScopedTokensOptions {
  /** The server's own token. */
  readonly token: string;
  readonly serverId: string;
  readonly clock: Clock;
  readonly table: CredentialTable<TokenRecord>;
}

/** Tokens that permit less than the server's own, or end. Of their secrets only digests under its key are kept. */
export class ScopedTokens {
  readonly #options: ScopedTokensOptions;
  readonly #key: Buffer;

  constructor(options: ScopedTokensOptions) {
    this.#options = options;
    this.#key = createHmac("sha256", options.token).update("turnwire scoped token").digest();
  }

  /** The token itself is in this answer and nowhere else; resolves when it would outlive a restart. */
  async create({ scope, session_id, expires_in_ms }: CreateToken): Promise<Result<CreatedToken>> {
    const { table, clock, serverId } = this.#options;
    const now = clock.now();
    const records = await table.list();
    const ended = records.filter((record) => !this.#isAlive(record)).map(({ id }) => id);
    if (records.length - ended.length >= limits.scopedTokens) {
      const message = `There are ${limits.scopedTokens} scoped tokens, and that is the most: revoke one first.`;
      return rejected("rate_limited", message);
    }
    if (ended.length > 0) await table.remove(ended);
    const id = randomBytes(8).toString("hex");
    const secret = randomBytes(32).toString("base64url");
    const record: TokenRecord = {
      id,
      server_id: serverId,
      created_at: now,
      last_seen_at: now,
      digest: this.#digest(secret),
      scope,
      ...(session_id !== undefined && { session_id }),
      ...(expires_in_ms !== undefined && { expires_at: now + expires_in_ms }),
    };
    await table.add(record);
    return accepted({ ...infoOf(record), token: `turnwire_${id}_${secret}` });
  }

  /** The owner of the machine, with the rights of the token. */
  async principalOf(bearer: string): Promise<Principal | undefined> {
    const [, id = "", secret = ""] = SCOPED_TOKEN.exec(bearer) ?? [];
    const { table, clock } = this.#options;
    const record = id === "" ? undefined : await table.find(id);
    const isAuthentic = isSameSecret(this.#digest(secret), record?.digest ?? "");
    if (!record || !isAuthentic || !this.#isAlive(record)) return undefined;
    table.touch(record, clock.now());
    const { scope, session_id: sessionId } = record;
    return {
      id: "local",
      isAdmin: scope === "admin",
      token: { id, scope, ...(sessionId !== undefined && { sessionId }) },
    };
  }

  /** Those that have not ended, newest first. */
  async list(): Promise<TokenInfo[]> {
    const records = await this.#options.table.list();
    return records
      .filter((record) => this.#isAlive(record))
      .toSorted((a, b) => b.created_at - a.created_at)
      .map(infoOf);
  }

  /** Ends a token at once, with its open streams; false when there is none. */
  async revoke(id: string): Promise<boolean> {
    return (await this.#options.table.remove([id])) > 0;
  }

  close(): void {
    this.#options.table.close?.();
  }

  #isAlive(record: TokenRecord): boolean {
    return this.#options.clock.now() < tokenKind.expiryOf(record);
  }

  #digest(secret: string): string {
    return createHmac("sha256", this.#key).update(secret).digest("hex");
  }
}

function infoOf({ id, scope, session_id, ...times }: TokenRecord): TokenInfo {
  const { created_at, last_seen_at, expires_at } = times;
  return {
    token_id: id,
    scope,
    ...(session_id !== undefined && { session_id }),
    created_at: new Date(created_at).toISOString(),
    last_seen_at: new Date(last_seen_at).toISOString(),
    ...(expires_at !== undefined && { expires_at: new Date(expires_at).toISOString() }),
  };
}
