import { openPostgresStore } from "@turnwire/log/postgres";
import { onTestFinished } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import type { OpenShared } from "./two-servers.ts";

/** A database that several hosts share, gone when the test ends. */
export const openSharedPostgres: OpenShared = async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  return {
    open: async () => {
      const store = await openPostgresStore({ url: database.url });
      onTestFinished(() => store.close());
      return store;
    },
  };
};
