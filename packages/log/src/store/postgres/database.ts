import { setTimeout as delay } from "node:timers/promises";
import { Pool, type PoolClient, TypeOverrides, types } from "pg";
import { storeClosed } from "../refusal.ts";
import { isPassing, isUnanswered, isUndone, storeErrorFrom } from "./failure.ts";

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most, the one for hints aside. */
  readonly connections: number;
  /** How long work waits for a database that does not answer; then it fails as `unavailable`. */
  readonly patienceMs: number;
}

export type SqlValue = string | number | boolean | Uint8Array | readonly (string | null)[] | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** Something that runs statements: any connection, or the one of a transaction. */
export interface Statements {
  /** Runs a statement; its text must be one of a few, since each is prepared once per connection. */
  run<Row extends SqlRow>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/** What is done on one connection; `isRepeat` when an earlier attempt may have done it already. */
export type Work<Result> = (statements: Statements, isRepeat: boolean) => Promise<Result>;

export interface UseOptions {
  /** Doing it twice is as good as doing it once. */
  readonly isRepeatable: boolean;
  readonly patienceMs?: number;
}

/** How to connect: what every connection of ours has in common. */
export function connectionSettings(url: string) {
  return {
    connectionString: url,
    application_name: "turnwire",
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    query_timeout: 10_000,
  };
}

/**
 * The first statements of a connection; PgBouncer refuses one that is opened with such settings. The server
 * gives up before the client does, so that a statement is seldom still running then. A host that stops in
 * the middle of a transaction must not keep a session from the next one.
 */
export const timeLimits =
  "SET statement_timeout = 9000; SET idle_in_transaction_session_timeout = 2000";

interface FailedAttempt {
  readonly error: unknown;
  /** The server may have got it. */
  readonly isSent: boolean;
}

type Attempt<Result> = { readonly result: Result } | FailedAttempt;

/** Whole numbers as numbers: no seq is beyond what a number holds. */
const parsers = new TypeOverrides();
parsers.setTypeParser(types.builtins.INT8, Number);

/** A pool of connections that outlives restarts of the server: work waits for it, up to a limit. */
export class Database implements Statements {
  readonly #pool: Pool;
  readonly #patienceMs: number;
  /** When each connection last answered. */
  readonly #usedAt = new WeakMap<PoolClient, number>();
  /** When a connection last broke, or did not answer. */
  #brokenAt = -Infinity;
  /** Prepared statements by their text. */
  readonly #names = new Map<string, string>();
  #running = 0;
  /** When work was last done. */
  #answeredAt = -Infinity;
  #onIdle: (() => void) | undefined;
  #isClosed = false;

  constructor({ url, connections, patienceMs }: DatabaseOptions) {
    this.#patienceMs = patienceMs;
    this.#pool = new Pool({
      ...connectionSettings(url),
      max: connections,
      idleTimeoutMillis: 30_000,
      types: parsers,
      verify: (client, done) => client.query(timeLimits, (error) => done(error)),
    });
    // A connection that breaks while no one uses it; the next one to need it gets a new one.
    this.#pool.on("error", () => undefined);
    // Whenever it breaks, also while it is being given back: without a listener that would end the process.
    this.#pool.on("connect", (client) => client.on("error", () => undefined));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** For reads, and for writes that may be done twice: repeated when the connection breaks. */
  run<Row extends SqlRow>(text: string, values: readonly SqlValue[] = []): Promise<Row[]> {
    return this.use((statements) => statements.run<Row>(text, values), { isRepeatable: true });
  }

  /** Runs work on one connection. What is not repeatable is repeated only where it was certainly not done. */
  async use<Result>(
    work: Work<Result>,
    { isRepeatable, patienceMs = this.#patienceMs }: UseOptions,
  ): Promise<Result> {
    if (this.#isClosed) throw storeClosed();
    this.#running += 1;
    const until = performance.now() + patienceMs;
    try {
      let isRepeat = false;
      for (let pause = 25; ; pause = Math.min(2 * pause, 400)) {
        const outcome: Attempt<Result> = await this.#attempt(work, isRepeat);
        if ("result" in outcome) {
          this.#answeredAt = performance.now();
          return outcome.result;
        }
        const { error, isSent }: FailedAttempt = outcome;
        isRepeat ||= isSent;
        const canRepeat = isPassing(error) && (isRepeatable || !isSent || isUndone(error));
        // What waits for a connection that others use waits for them, not for the database.
        const limit = isSent ? until : Math.max(until, this.#answeredAt + patienceMs);
        if (!canRepeat || performance.now() + pause > limit) throw storeErrorFrom(error);
        await delay(pause);
      }
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  /** Runs work in one transaction, which is undone when it throws. */
  transaction<Result>(work: Work<Result>, options: UseOptions): Promise<Result> {
    return this.use(async (statements, isRepeat) => {
      await statements.run("BEGIN");
      try {
        const result = await work(statements, isRepeat);
        await statements.run("COMMIT");
        return result;
      } catch (error) {
        // A broken connection undoes it too.
        await statements.run("ROLLBACK").catch(() => undefined);
        throw error;
      }
    }, options);
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#pool.end();
  }

  async #attempt<Result>(work: Work<Result>, isRepeat: boolean): Promise<Attempt<Result>> {
    let client: PoolClient;
    try {
      client = await this.#connect();
    } catch (error) {
      return { error, isSent: false };
    }
    try {
      const result = await work(this.#statementsOf(client), isRepeat);
      this.#usedAt.set(client, performance.now());
      client.release();
      return { result };
    } catch (error) {
      if (isUnanswered(error)) this.#brokenAt = performance.now();
      client.release(isPassing(error));
      return { error, isSent: true };
    }
  }

  /** A connection that has answered since one broke: those from before may be cut off too, and each would take its time to fail. */
  async #connect(): Promise<PoolClient> {
    for (;;) {
      const client = await this.#pool.connect();
      if ((this.#usedAt.get(client) ?? Infinity) >= this.#brokenAt) return client;
      client.release(true);
    }
  }

  #statementsOf(client: PoolClient): Statements {
    return {
      run: async <Row extends SqlRow>(text: string, values: readonly SqlValue[] = []) => {
        const name = this.#names.get(text) ?? `turnwire_${this.#names.size}`;
        this.#names.set(text, name);
        const { rows } = await client.query<Row>({ name, text, values: [...values] });
        return rows;
      },
    };
  }
}
