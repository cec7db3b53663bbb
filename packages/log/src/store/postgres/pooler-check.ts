import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { StoreError } from "../../store-error.ts";
import { connectionSettings } from "./database.ts";
import { storeErrorFrom } from "./failure.ts";

/** How long a notification through a pooler may take before it counts as lost. */
const NOTIFY_MS = 2000;

/**
 * Refuses a pooler that gives a connection to others between two transactions: through it no
 * notification arrives, and a prepared statement is there only by chance.
 */
export async function refuseTransactionPooler(url: string): Promise<void> {
  const [listener, other] = [newClient(url), newClient(url)];
  try {
    await Promise.all([listener.connect(), other.connect()]);
    if (await isDirect(listener)) return;
    if ((await keepsProcess(listener, other)) && (await hears(listener, other))) return;
  } catch (error) {
    throw storeErrorFrom(error);
  } finally {
    await Promise.all([listener, other].map((client) => client.end().catch(() => undefined)));
  }
  throw new StoreError(
    "unavailable",
    "there is a connection pooler in transaction mode (such as PgBouncer) between Turnwire and Postgres: LISTEN does not work through it. Name the Postgres server itself, or a pool in session mode",
  );
}

function newClient(url: string): Client {
  const client = new Client(connectionSettings(url));
  client.on("error", () => undefined);
  return client;
}

/** A pooler makes up the process number that it gives to its clients. */
async function isDirect(client: Client): Promise<boolean> {
  const greeted: unknown = Reflect.get(client, "processID");
  return greeted === (await processOf(client));
}

/** Whether a connection stays on its process while another one is in a transaction. */
async function keepsProcess(client: Client, other: Client): Promise<boolean> {
  const before = await processOf(client);
  await other.query("BEGIN");
  const taken = await processOf(other);
  const after = await processOf(client);
  await other.query("ROLLBACK");
  return before === after && before !== taken;
}

async function processOf(client: Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}

async function hears(listener: Client, other: Client): Promise<boolean> {
  const heard = new Promise<boolean>((resolve) => {
    listener.once("notification", () => resolve(true));
  });
  await listener.query("LISTEN turnwire_check");
  await other.query("NOTIFY turnwire_check");
  const timer = new AbortController();
  const late = delay(NOTIFY_MS, false, { signal: timer.signal }).catch(() => false);
  const isHeard = await Promise.race([heard, late]);
  timer.abort();
  return isHeard;
}
