import { type Clock, detach } from "@turnwire/base";
import type { CredentialRecord, CredentialStore } from "./credential-store.ts";

/** Uses in between are not written to the store. */
export const SAVE_USE_MS = 5 * 60_000;

/** The credentials of a kind that were made under one token of the server. */
export interface CredentialTable<Credential extends CredentialRecord> {
  find(id: string): Promise<Credential | undefined>;
  list(): Promise<readonly Credential[]>;
  /** Resolves when the credential would outlive a restart. */
  add(record: Credential): Promise<void>;
  /** False when the credential has ended meanwhile, which it then stays. */
  change(id: string, change: (record: Credential) => Credential): Promise<boolean>;
  /** Notes a use; that reaches the store now and then. */
  touch(record: Credential, now: number): void;
  /** Ends credentials; resolves with how many there were when a restart would not bring them back. */
  remove(ids: readonly string[]): Promise<number>;
  close?(): void;
}

export interface LocalCredentialTableOptions<Credential extends CredentialRecord> {
  readonly records: readonly Credential[];
  /** Without it credentials end with the server. */
  readonly store: CredentialStore<Credential> | undefined;
  readonly clock: Clock;
  /** Called after credentials have ended before their time. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Credentials of a server that has its store to itself: in memory, and in a file that is written as a whole. */
export class LocalCredentialTable<
  Credential extends CredentialRecord,
> implements CredentialTable<Credential> {
  readonly #options: LocalCredentialTableOptions<Credential>;
  readonly #records: Map<string, Credential>;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: LocalCredentialTableOptions<Credential>) {
    this.#options = options;
    this.#records = new Map(options.records.map((record) => [record.id, record]));
  }

  async find(id: string): Promise<Credential | undefined> {
    return this.#records.get(id);
  }

  async list(): Promise<readonly Credential[]> {
    return [...this.#records.values()];
  }

  async add(record: Credential): Promise<void> {
    this.#records.set(record.id, record);
    try {
      await this.#save();
    } catch (error) {
      this.#records.delete(record.id);
      throw error;
    }
  }

  async change(id: string, change: (record: Credential) => Credential): Promise<boolean> {
    const record = this.#records.get(id);
    if (!record) return false;
    this.#records.set(id, change(record));
    await this.#save();
    return true;
  }

  touch({ id }: CredentialRecord, now: number): void {
    const record = this.#records.get(id);
    if (!record || record.last_seen_at >= now) return;
    this.#records.set(id, { ...record, last_seen_at: now });
    if (now - this.#savedAt >= SAVE_USE_MS) detach(this.#save(), this.#options.onError);
  }

  async remove(ids: readonly string[]): Promise<number> {
    const removed = ids.filter((id) => this.#records.delete(id));
    if (removed.length === 0) return 0;
    this.#options.onRevoked();
    await this.#save();
    return removed.length;
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
