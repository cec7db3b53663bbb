// An entry of its own: it loads the driver, which whoever uses SQLite does not need.
export {
  type LocalPostgres,
  type LocalPostgresOptions,
  startLocalPostgres,
} from "./local-postgres.ts";
export {
  checkPostgres,
  openPostgresStore,
  type PostgresStoreOptions,
} from "./open-postgres-store.ts";
