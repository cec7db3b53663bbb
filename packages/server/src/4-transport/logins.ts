import { createHash, createHmac, randomBytes } from "node:crypto";
import { limits, type LoginInfo } from "@turnwire/protocol";
import { type Clock, detach } from "@turnwire/base";
import type { LoginRecord, LoginStore } from "./login-store.ts";
import { isSameSecret } from "./secret.ts";

/** Uses in between are not written to the store. */
const SAVE_USE_MS = 5 * 60_000;
const MAX_NAME = 100;

export interface LoginsOptions {
  readonly token: string;
  readonly clock: Clock;
  readonly records: readonly LoginRecord[];
  /** Without it log-ins end with the server. */
  readonly store: LoginStore | undefined;
  /** Called after log-ins have ended before their time. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Both secrets of a log-in, as the browser keeps them. */
export interface LoginSecrets {
  /** For the cookie: `<id>.<secret>`. */
  readonly cookie: string;
  /** For the storage of the page's origin. */
  readonly pageKey: string;
}

/** The log-ins of browsers. Each has two secrets, of which only digests under the token's key are kept. */
export class Logins {
  /** Differs by token, and does not reveal it. */
  readonly serverId: string;
  readonly #options: LoginsOptions;
  readonly #key: Buffer;
  readonly #records = new Map<string, LoginRecord>();
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: LoginsOptions) {
    this.#options = options;
    this.#key = createHmac("sha256", options.token).update("turnwire login cookie").digest();
    this.serverId = createHash("sha256").update(this.#key).digest("hex").slice(0, 8);
    for (const record of options.records) {
      if (record.server_id === this.serverId) this.#records.set(record.id, record);
    }
  }

  /** Resolves when the log-in would outlive a restart. */
  async create(name: string): Promise<LoginSecrets> {
    const now = this.#options.clock.now();
    const id = randomBytes(8).toString("hex");
    const [secret, pageKey] = [randomSecret(), randomSecret()];
    this.#makeRoom();
    this.#records.set(id, {
      id,
      server_id: this.serverId,
      name: name.slice(0, MAX_NAME),
      created_at: now,
      last_seen_at: now,
      cookie_digest: this.#digest(secret),
      key_digest: this.#digest(pageKey),
    });
    try {
      await this.#save();
    } catch (error) {
      this.#records.delete(id);
      throw error;
    }
    return { cookie: `${id}.${secret}`, pageKey };
  }

  /** The id of the log-in that a cookie belongs to; by itself it permits nothing. */
  idOfCookie(cookie: string): string | undefined {
    const [id = "", secret = ""] = cookie.split(".");
    const record = this.#alive(id);
    const expected = record?.cookie_digest ?? "";
    return isSameSecret(this.#digest(secret), expected) ? id : undefined;
  }

  isKeyOf(id: string, pageKey: string): boolean {
    const record = this.#alive(id);
    return record !== undefined && isSameSecret(this.#digest(pageKey), record.key_digest);
  }

  /** Notes that a log-in was used, which keeps it from ending. */
  touch(id: string): void {
    const record = this.#records.get(id);
    const now = this.#options.clock.now();
    if (!record || record.last_seen_at >= now) return;
    this.#records.set(id, { ...record, last_seen_at: now });
    if (now - this.#savedAt >= SAVE_USE_MS) detach(this.#save(), this.#options.onError);
  }

  /** Those that have not ended, last used first. */
  list(currentId?: string): LoginInfo[] {
    return [...this.#records.values()]
      .filter((record) => this.#isAlive(record))
      .toSorted((a, b) => b.last_seen_at - a.last_seen_at)
      .map((record) => infoOf(record, record.id === currentId));
  }

  async rename(id: string, name: string): Promise<boolean> {
    const record = this.#alive(id);
    if (!record) return false;
    this.#records.set(id, { ...record, name: name.slice(0, MAX_NAME) });
    await this.#save();
    return true;
  }

  /** Ends log-ins at once; resolves with their number when a restart would not bring them back. */
  async revoke(isMeant: (id: string) => boolean): Promise<number> {
    const ids = [...this.#records.keys()].filter(isMeant);
    for (const id of ids) this.#records.delete(id);
    if (ids.length === 0) return 0;
    this.#options.onRevoked();
    await this.#save();
    return ids.length;
  }

  #alive(id: string): LoginRecord | undefined {
    const record = this.#records.get(id);
    return record && this.#isAlive(record) ? record : undefined;
  }

  #isAlive(record: LoginRecord): boolean {
    return this.#options.clock.now() < expiryOf(record);
  }

  /** Without what has ended, and without the longest unused where there are too many. */
  #makeRoom(): void {
    const longestUnused = [...this.#records.values()].toSorted(
      (a, b) => a.last_seen_at - b.last_seen_at,
    );
    for (const record of longestUnused) {
      if (this.#isAlive(record) && this.#records.size < limits.logins) continue;
      this.#records.delete(record.id);
    }
  }

  #digest(secret: string): string {
    return createHmac("sha256", this.#key).update(secret).digest("hex");
  }

  /** Writes one after the other, each what there is when its turn comes. */
  #save(): Promise<void> {
    const { store, clock } = this.#options;
    this.#savedAt = clock.now();
    const write = async (): Promise<void> => store?.save([...this.#records.values()]);
    const saved = this.#saving.then(write, write);
    this.#saving = saved;
    return saved;
  }
}

function expiryOf({ created_at, last_seen_at }: LoginRecord): number {
  return Math.min(last_seen_at + limits.loginIdleMs, created_at + limits.loginLifeMs);
}

function infoOf(record: LoginRecord, isCurrent: boolean): LoginInfo {
  return {
    login_id: record.id,
    name: record.name,
    created_at: new Date(record.created_at).toISOString(),
    last_seen_at: new Date(record.last_seen_at).toISOString(),
    expires_at: new Date(expiryOf(record)).toISOString(),
    is_current: isCurrent,
  };
}

function randomSecret(): string {
  return randomBytes(32).toString("base64url");
}
