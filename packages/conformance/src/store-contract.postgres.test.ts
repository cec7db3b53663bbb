import { openPostgresStore } from "@turnwire/log/postgres";
import { newDatabase } from "../../../test/support/database.ts";
import { storeContract } from "./store-contract.ts";

storeContract(
  "Postgres",
  async () => {
    const database = await newDatabase();
    return {
      open: () => openPostgresStore({ url: database.url }),
      remove: () => database.remove(),
    };
  },
  { durable: true, shared: true, transcripts: true },
);
