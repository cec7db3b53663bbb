import { createHash, createHmac, randomBytes } from "node:crypto";
import { limits, type LoginInfo } from "@turnwire/protocol";
import type { Clock } from "@turnwire/base";
import { loginKind, type LoginRecord } from "./credential-store.ts";
import type { CredentialTable } from "./credential-table.ts";
import { isSameSecret } from "./secret.ts";

const MAX_NAME = 100;
const LOGIN_ID = /^[0-9a-f]{16}$/;

export interface LoginsOptions {
  readonly token: string;
  readonly clock: Clock;
  readonly table: CredentialTable<LoginRecord>;
}

/** Both secrets of a log-in, as the browser keeps them. */
export interface LoginSecrets {
  /** For the cookie: `<id>.<secret>`. */
  readonly cookie: string;
  /** For the storage of the page's origin. */
  readonly pageKey: string;
}

/** Identifies a server in the names of cookies and values: differs by token, and does not reveal it. */
export function serverIdFrom(token: string): string {
  return createHash("sha256").update(keyFrom(token)).digest("hex").slice(0, 8);
}

function keyFrom(token: string): Buffer {
  return createHmac("sha256", token).update("turnwire login cookie").digest();
}

/** The log-ins of browsers. Each has two secrets, of which only digests under the token's key are kept. */
export class Logins {
  readonly #options: LoginsOptions;
  readonly #key: Buffer;
  readonly #serverId: string;

  constructor(options: LoginsOptions) {
    this.#options = options;
    this.#key = keyFrom(options.token);
    this.#serverId = serverIdFrom(options.token);
  }

  /** Resolves when the log-in would outlive a restart. */
  async create(name: string): Promise<LoginSecrets> {
    const { table, clock } = this.#options;
    const now = clock.now();
    const id = randomBytes(8).toString("hex");
    const [secret, pageKey] = [randomSecret(), randomSecret()];
    await this.#makeRoom();
    await table.add({
      id,
      server_id: this.#serverId,
      name: name.slice(0, MAX_NAME),
      created_at: now,
      last_seen_at: now,
      cookie_digest: this.#digest(secret),
      key_digest: this.#digest(pageKey),
    });
    return { cookie: `${id}.${secret}`, pageKey };
  }

  /** The log-in that a cookie belongs to; by itself it permits nothing. */
  async findByCookie(cookie: string): Promise<LoginRecord | undefined> {
    const [id = "", secret = ""] = cookie.split(".");
    const record = LOGIN_ID.test(id) ? await this.#options.table.find(id) : undefined;
    const isAuthentic = isSameSecret(this.#digest(secret), record?.cookie_digest ?? "");
    return record && isAuthentic && this.#isAlive(record) ? record : undefined;
  }

  isKeyOf({ key_digest }: LoginRecord, pageKey: string): boolean {
    return isSameSecret(this.#digest(pageKey), key_digest);
  }

  /** Notes that a log-in was used, which keeps it from ending. */
  touch(record: LoginRecord): void {
    this.#options.table.touch(record, this.#options.clock.now());
  }

  /** Those that have not ended, last used first. */
  async list(currentId?: string): Promise<LoginInfo[]> {
    const records = await this.#options.table.list();
    return records
      .filter((record) => this.#isAlive(record))
      .toSorted((a, b) => b.last_seen_at - a.last_seen_at)
      .map((record) => infoOf(record, record.id === currentId));
  }

  /** False when there is no such log-in. */
  async rename(id: string, name: string): Promise<boolean> {
    const { table } = this.#options;
    const record = LOGIN_ID.test(id) ? await table.find(id) : undefined;
    if (!record || !this.#isAlive(record)) return false;
    return table.change(id, (current) => ({ ...current, name: name.slice(0, MAX_NAME) }));
  }

  /** Ends log-ins at once; resolves with their number when a restart would not bring them back. */
  async revoke(isMeant: (id: string) => boolean): Promise<number> {
    const { table } = this.#options;
    const ids = (await table.list()).map(({ id }) => id).filter(isMeant);
    return ids.length === 0 ? 0 : table.remove(ids);
  }

  close(): void {
    this.#options.table.close?.();
  }

  #isAlive(record: LoginRecord): boolean {
    return this.#options.clock.now() < loginKind.expiryOf(record);
  }

  /** Without what has ended, and without the longest unused where there are too many. */
  async #makeRoom(): Promise<void> {
    const { table } = this.#options;
    const records = await table.list();
    const longestUnusedFirst = records
      .filter((record) => this.#isAlive(record))
      .toSorted((a, b) => a.last_seen_at - b.last_seen_at);
    const kept = new Set(longestUnusedFirst.slice(1 - limits.logins).map(({ id }) => id));
    const gone = records.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
    if (gone.length > 0) await table.remove(gone);
  }

  #digest(secret: string): string {
    return createHmac("sha256", this.#key).update(secret).digest("hex");
  }
}

function infoOf(record: LoginRecord, isCurrent: boolean): LoginInfo {
  return {
    login_id: record.id,
    name: record.name,
    created_at: new Date(record.created_at).toISOString(),
    last_seen_at: new Date(record.last_seen_at).toISOString(),
    expires_at: new Date(loginKind.expiryOf(record)).toISOString(),
    is_current: isCurrent,
  };
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
