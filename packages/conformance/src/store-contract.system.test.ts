import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, openSqliteStore } from "@turnwire/log";
import { storeContract } from "./store-contract.ts";

storeContract(
  "memory",
  async () => ({ open: async () => createMemoryStore(), remove: async () => {} }),
  { durable: false, shared: false },
);

storeContract(
  "SQLite",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "turnwire-store-"));
    return {
      open: () => openSqliteStore({ path: join(directory, "store.db") }),
      remove: () => rm(directory, { recursive: true }),
    };
  },
  { durable: true, shared: false, transcripts: true },
);
