import { type Clock, detach } from "@turnwire/base";
import type { LoginRecord, LoginStore } from "./login-store.ts";

/** Uses in between are not written to the store. */
export const SAVE_USE_MS = 5 * 60_000;

/** The log-ins that were made under one token. */
export interface LoginTable {
  find(id: string): Promise<LoginRecord | undefined>;
  list(): Promise<readonly LoginRecord[]>;
  /** Resolves when the log-in would outlive a restart. */
  add(record: LoginRecord): Promise<void>;
  /** False when the log-in has ended meanwhile, which it then stays. */
  change(id: string, change: (record: LoginRecord) => LoginRecord): Promise<boolean>;
  /** Notes a use; that reaches the store now and then. */
  touch(record: LoginRecord, now: number): void;
  /** Ends log-ins; resolves with how many there were when a restart would not bring them back. */
  remove(ids: readonly string[]): Promise<number>;
  close?(): void;
}

export interface LocalLoginTableOptions {
  readonly records: readonly LoginRecord[];
  /** Without it log-ins end with the server. */
  readonly store: LoginStore | undefined;
  readonly clock: Clock;
  /** Called after log-ins have ended before their time. */
  readonly onRevoked: () => void;
  readonly onError: (error: unknown) => void;
}

/** Log-ins of a server that has its store to itself: in memory, and in a file that is written as a whole. */
export class LocalLoginTable implements LoginTable {
  readonly #options: LocalLoginTableOptions;
  readonly #records: Map<string, LoginRecord>;
  #savedAt = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: LocalLoginTableOptions) {
    this.#options = options;
    this.#records = new Map(options.records.map((record) => [record.id, record]));
  }

  async find(id: string): Promise<LoginRecord | undefined> {
    return this.#records.get(id);
  }

  async list(): Promise<readonly LoginRecord[]> {
    return [...this.#records.values()];
  }

  async add(record: LoginRecord): Promise<void> {
    this.#records.set(record.id, record);
    try {
      await this.#save();
    } catch (error) {
      this.#records.delete(record.id);
      throw error;
    }
  }

  async change(id: string, change: (record: LoginRecord) => LoginRecord): Promise<boolean> {
    const record = this.#records.get(id);
    if (!record) return false;
    this.#records.set(id, change(record));
    await this.#save();
    return true;
  }

  touch({ id }: LoginRecord, now: number): void {
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
