import { randomUUID } from "node:crypto";
import { type Clock, detach } from "@turnwire/base";
import { jsonFrom, type Sharing } from "@turnwire/log/list";
import type { CredentialKind, CredentialRecord } from "./credential-store.ts";
import { type CredentialTable, SAVE_USE_MS } from "./credential-table.ts";

export interface SharedCredentialTableOptions<Credential extends CredentialRecord> {
  readonly kind: CredentialKind<Credential>;
  readonly sharing: Sharing;
  readonly serverId: string;
  readonly clock: Clock;
  /** Called after credentials have ended before their time, on this host or another. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Others change a record at most every few minutes; whoever still finds it changed has met a fault. */
const MAX_TRIES = 10;

/**
 * Credentials that all hosts of a store have in common: one value each, which is read whenever somebody
 * comes with it, so that one that was revoked is worth nothing anywhere from that moment.
 */
export class SharedCredentialTable<
  Credential extends CredentialRecord,
> implements CredentialTable<Credential> {
  readonly #options: SharedCredentialTableOptions<Credential>;
  readonly #prefix: string;
  /** Changes with each revocation: uses change credentials too, and must not have every connection checked. */
  readonly #revocation: string;
  readonly #stopWatch: () => void;

  constructor(options: SharedCredentialTableOptions<Credential>) {
    const { kind, sharing, serverId, onRevoked } = options;
    this.#options = options;
    this.#prefix = `${kind.name}/${serverId}/`;
    this.#revocation = `${kind.name}-revocation/${serverId}`;
    this.#stopWatch = sharing.watch(this.#revocation, onRevoked);
  }

  async find(id: string): Promise<Credential | undefined> {
    const text = await this.#values.readValue(this.#prefix + id);
    return text === undefined ? undefined : this.#recordFrom(text);
  }

  async list(): Promise<readonly Credential[]> {
    const values = await this.#values.listValues(this.#prefix);
    return [...values.values()]
      .map((text) => this.#recordFrom(text))
      .filter((record) => record !== undefined);
  }

  async add(record: Credential): Promise<void> {
    await this.#write(record, null);
  }

  async change(id: string, change: (record: Credential) => Credential): Promise<boolean> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const text = await this.#values.readValue(this.#prefix + id);
      const record = text === undefined ? undefined : this.#recordFrom(text);
      if (text === undefined || !record) return false;
      if (await this.#write(change(record), text)) return true;
    }
    throw new Error(`${this.#options.kind.name} ${id} changes faster than it can be written`);
  }

  touch({ id, last_seen_at }: CredentialRecord, now: number): void {
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

  #write(record: Credential, onlyIf: string | null): Promise<boolean> {
    const { kind, clock } = this.#options;
    const expiry = kind.expiryOf(record);
    return this.#values.writeValue(this.#prefix + record.id, JSON.stringify(record), {
      ...(expiry !== Infinity && { ttlMs: Math.max(1, expiry - clock.now()) }),
      onlyIf,
    });
  }

  /** One that makes no sense lets no one in. */
  #recordFrom(text: string): Credential | undefined {
    return this.#options.kind.schema.safeParse(jsonFrom(text)).data;
  }
}
