import { Client } from "pg";
import { startTestPostgres } from "../support/postgres.ts";
import { type ChaosOptions, runChaos } from "./chaos.ts";
import { Cluster } from "./cluster.ts";
import type { HistoryEntry } from "./history.ts";

export interface HostsOptions {
  /** Short: socket files are kept in it. */
  readonly directory: string;
  readonly leaseMs: number;
}

export type ChaosPlan = Pick<ChaosOptions, "seed" | "sessions" | "faults" | "settleMs" | "note">;

/** Three hosts over one Postgres, all of them real processes. */
export interface Hosts {
  readonly cluster: Cluster;
  readonly token: string;
  runChaos(plan: ChaosPlan): Promise<readonly HistoryEntry[]>;
  close(): Promise<void>;
}

const token = "hosts-test-token-0123456789-abcdefghijklmnop";

export async function startHosts({ directory, leaseMs }: HostsOptions): Promise<Hosts> {
  const postgres = await startTestPostgres();
  const databaseUrl = postgres.url("postgres");
  const names = ["a", "b", "c"];
  const starting = Cluster.start({ directory, names, token, databaseUrl, leaseMs });
  const cluster = await starting.catch(async (error: unknown) => {
    await postgres.close();
    throw error;
  });
  return {
    cluster,
    token,
    runChaos: (plan) =>
      runChaos({
        ...plan,
        cluster,
        token,
        leaseMs,
        findOwners: () => findOwners(databaseUrl, cluster.hosts),
        restartDatabase: async (mode) => {
          await postgres.stop(mode);
          await postgres.start();
        },
      }),
    async close() {
      await cluster.close();
      await postgres.close();
    },
  };
}

/** The name of the host that holds each session, as the database has it. */
async function findOwners(
  url: string,
  hosts: Cluster["hosts"],
): Promise<ReadonlyMap<string, string>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ session_id: string; holder: string }>(
      "SELECT session_id, holder FROM turnwire.heads WHERE holder IS NOT NULL",
    );
    const nameOf = (holder: string): string =>
      hosts.find(({ process }) => process.hostId === holder)?.name ?? holder;
    return new Map(rows.map(({ session_id, holder }) => [session_id, nameOf(holder)]));
  } finally {
    await client.end();
  }
}
