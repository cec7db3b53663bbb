import { createMemoryStore, openSqliteStore, type Store, StoreError } from "@turnwire/log";
import { CliError } from "../error/cli-error.ts";
import { shownStore, type StoreChoice } from "../configuration/store-choice.ts";

/** Opens the chosen store; `onFailed` is called when it can never write again. Rejects as `locked` while another process has it. */
export async function openStore(
  choice: StoreChoice,
  onFailed: (error: StoreError) => void,
): Promise<Store> {
  try {
    return await openChosen(choice, onFailed);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.code === "locked") throw cause;
    const name = choice.type === "postgres" ? ` ${shownStore(choice.url)}` : "";
    throw new CliError("store_failed", `The store${name} does not open: ${cause.message}.`, {
      cause,
    });
  }
}

async function openChosen(
  choice: StoreChoice,
  onFailed: (error: StoreError) => void,
): Promise<Store> {
  switch (choice.type) {
    case "memory":
      return createMemoryStore();
    case "sqlite":
      return openSqliteStore({ ...choice, onFailed });
    case "postgres": {
      const { openPostgresStore } = await import("@turnwire/log/postgres");
      return openPostgresStore({ url: choice.url });
    }
    case "local-postgres":
      return openLocalPostgres(choice.directory, onFailed);
  }
}

/** A store whose Postgres server ends with it. */
async function openLocalPostgres(
  directory: string,
  onLost: (error: StoreError) => void,
): Promise<Store> {
  const { openPostgresStore, startLocalPostgres } = await import("@turnwire/log/postgres");
  const postgres = await startLocalPostgres({ directory, onLost });
  try {
    return await openPostgresStore({
      url: postgres.url("postgres"),
      isPrivate: true,
      onClosed: () => postgres.close(),
    });
  } catch (error) {
    await postgres.close();
    throw error;
  }
}
