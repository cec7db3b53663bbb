import { type Clock, systemClock } from "@turnwire/base";
import type { Store } from "../../store.ts";
import { HintSource } from "../hint-source.ts";
import { Database } from "./database.ts";
import { storeErrorFrom } from "./failure.ts";
import { HintChannel } from "./hint-channel.ts";
import { forgetHolders } from "./holder-table.ts";
import { migrate } from "./migration.ts";
import { refuseTransactionPooler } from "./pooler-check.ts";
import { PostgresStore } from "./postgres-store.ts";

export interface PostgresStoreOptions {
  /** `postgres://user@host/database`; what it leaves out comes from PGHOST, PGPASSWORD and their like. */
  readonly url: string;
  /** Connections at most, beside one for hints and one or two for leases; 10 by default. */
  readonly connections?: number;
  /** How long work waits for a database that does not answer, such as while it restarts; 5 s by default. */
  readonly patienceMs?: number;
  /** No other process can have it open, so that whoever holds a lease at the start has died. */
  readonly isPrivate?: boolean;
  readonly clock?: Clock;
  /** Called once its connections are closed; `close` waits for it. */
  readonly onClosed?: () => Promise<void>;
}

/** Opens the store in a Postgres database, which any number of hosts may share; rejects with a StoreError. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, connections = 10, patienceMs = 5000, clock = systemClock } = options;
  await refuseTransactionPooler(url);
  await migrate(url);
  if (options.isPrivate) await forgetDead(url);
  const hints = new HintSource();
  const channel = new HintChannel({ url, onHint: (hint) => hints.emit(hint) });
  try {
    await channel.start();
  } catch (error) {
    throw storeErrorFrom(error);
  }
  const database = new Database({ url, connections, patienceMs });
  // The second is used while the first does not answer.
  const renewals = new Database({ url, connections: 2, patienceMs });
  const { onClosed } = options;
  return new PostgresStore({ database, renewals, channel, hints, clock, onClosed });
}

/** Whether a database can be reached and no pooler is in the way; rejects with a StoreError, and changes nothing. */
export function checkPostgres(url: string): Promise<void> {
  return refuseTransactionPooler(url);
}

/** Before anything is left open. */
async function forgetDead(url: string): Promise<void> {
  const database = new Database({ url, connections: 1, patienceMs: 0 });
  try {
    await forgetHolders(database);
  } finally {
    await database.close();
  }
}
