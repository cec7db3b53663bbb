import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";

/** The unit in which Linux counts the time of processes. */
const TICK_MS = 10;

export interface PostgresFigures {
  /** Transactions that wrote or notified, since the cluster was made. */
  readonly commits: number;
  /** Of all its processes; undefined where the system does not show it. */
  readonly cpuMs: number | undefined;
}

/** The consumption of a Postgres server on this machine so far. */
export class PostgresUse {
  readonly #client: Client;
  readonly #pid: Promise<number>;

  static async open(url: string, dataDirectory: string): Promise<PostgresUse> {
    const client = new Client(url);
    await client.connect();
    return new PostgresUse(client, dataDirectory);
  }

  private constructor(client: Client, dataDirectory: string) {
    this.#client = client;
    this.#pid = readFile(join(dataDirectory, "postmaster.pid"), "utf8").then((text) =>
      Number.parseInt(text, 10),
    );
  }

  async measure(): Promise<PostgresFigures> {
    const { rows } = await this.#client.query<{ next: string }>(
      "SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next",
    );
    return { commits: Number(rows[0]?.next), cpuMs: await cpuOfGroup(await this.#pid) };
  }

  /** How many connections a database has. */
  async connections(database: string): Promise<number> {
    const { rows } = await this.#client.query<{ count: string }>(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = $1",
      [database],
    );
    return Number(rows[0]?.count);
  }

  async createDatabase(name: string): Promise<void> {
    await this.#client.query(`CREATE DATABASE ${name}`);
  }

  async close(): Promise<void> {
    await this.#client.end();
  }
}

/** A process, its children, and those of them that have ended. */
async function cpuOfGroup(parent: number): Promise<number | undefined> {
  try {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")),
    );
    let ticks = 0;
    for (const stat of stats) {
      // After the name, which may have spaces: state, parent, ..., user, system, of ended children.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const time = (index: number): number => Number(fields[index]);
      if (stat.startsWith(`${parent} `)) ticks += time(11) + time(12) + time(13) + time(14);
      else if (time(1) === parent) ticks += time(11) + time(12);
    }
    return ticks === 0 ? undefined : ticks * TICK_MS;
  } catch {
    return undefined;
  }
}
