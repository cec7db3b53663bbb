import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import {
  type LocalPostgres,
  startLocalPostgres,
} from "../../packages/log/src/store/postgres/local-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A database of the lane's Postgres from which others can be made. */
    postgresUrl: string;
  }
}

/** A Postgres for tests, gone with its data when it is closed. Nothing waits for the disk: only a power cut would show. */
export async function startTestPostgres(): Promise<LocalPostgres> {
  const parent = await mkdtemp(join(tmpdir(), "turnwire-cluster-"));
  const directory = join(parent, "data");
  const settings = { fsync: "off", full_page_writes: "off", max_connections: "200" };
  const postgres = await startLocalPostgres({ directory, settings });
  return {
    ...postgres,
    async close() {
      await postgres.close();
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Runs before the Postgres lane: one server for all of its files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres();
  project.provide("postgresUrl", postgres.url("postgres"));
  return () => postgres.close();
}
