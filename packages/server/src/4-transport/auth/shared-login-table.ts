import { randomUUID } from "node:crypto";
import { type Clock, detach } from "@turnwire/base";
import { jsonFrom, type Sharing } from "@turnwire/log/list";
import { expiryOf, LoginRecord } from "./login-store.ts";
import { type LoginTable, SAVE_USE_MS } from "./login-table.ts";

export interface SharedLoginTableOptions {
  readonly sharing: Sharing;
  readonly serverId: string;
  readonly clock: Clock;
  /** Called after log-ins have ended before their time, on this host or another. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Others change a record at most every few minutes; whoever still finds it changed has met a fault. */
const MAX_TRIES = 10;

/**
 * Log-ins that all hosts of a store have in common: one value each, which is read whenever somebody
 * comes with it, so that one that was revoked is worth nothing anywhere from that moment.
 */
export class SharedLoginTable implements LoginTable {
  readonly #options: SharedLoginTableOptions;
  readonly #prefix: string;
  /** Changes with each revocation: uses change log-ins too, and must not have every connection checked. */
  readonly #revocation: string;
  readonly #stopWatch: () => void;

  constructor(options: SharedLoginTableOptions) {
    const { sharing, serverId, onRevoked } = options;
    this.#options = options;
    this.#prefix = `login/${serverId}/`;
    this.#revocation = `login-revocation/${serverId}`;
    this.#stopWatch = sharing.watch(this.#revocation, onRevoked);
  }

  async find(id: string): Promise<LoginRecord | undefined> {
    const text = await this.#values.readValue(this.#prefix + id);
    return text === undefined ? undefined : recordFrom(text);
  }

  async list(): Promise<readonly LoginRecord[]> {
    const values = await this.#values.listValues(this.#prefix);
    return [...values.values()].map(recordFrom).filter((record) => record !== undefined);
  }

  async add(record: LoginRecord): Promise<void> {
    await this.#write(record, null);
  }

  async change(id: string, change: (record: LoginRecord) => LoginRecord): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const text = await this.#values.readValue(this.#prefix + id);
      const record = text === undefined ? undefined : recordFrom(text);
      if (text === undefined || !record) return false;
      if (await this.#write(change(record), text)) return true;
    }
    throw new Error(`log-in ${id} changes faster than it can be written`);
  }

  touch({ id, last_seen_at }: LoginRecord, now: number): void {
    if (now - last_seen_at < SAVE_USE_MS) return;
    const touched = this.change(id, (record) => ({
      ...record,
      last_seen_at: Math.max(record.last_seen_at, now),
    }));
    detach(touched, this.#options.onError);
  }

  async remove(ids: readonly string[]): Promise<number> {
    const taken = await Promise.all(ids.map((id) => this.#values.takeValue(this.#prefix + id)));
    const count = taken.filter((text) => text !== undefined).length;
    if (count === 0) return 0;
    this.#options.onRevoked();
    await this.#values.writeValue(this.#revocation, randomUUID(), { ttlMs: SAVE_USE_MS });
    return count;
  }

  close(): void {
    this.#stopWatch();
  }

  get #values() {
    return this.#options.sharing.values;
  }

  #write(record: LoginRecord, onlyIf: string | null): Promise<boolean> {
    const ttlMs = Math.max(1, expiryOf(record) - this.#options.clock.now());
    return this.#values.writeValue(this.#prefix + record.id, JSON.stringify(record), {
      ttlMs,
      onlyIf,
    });
  }
}

/** One that makes no sense lets no one in. */
function recordFrom(text: string): LoginRecord | undefined {
  return LoginRecord.safeParse(jsonFrom(text)).data;
}
