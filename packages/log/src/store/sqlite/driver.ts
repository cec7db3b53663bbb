/**
 * The little that the store needs of SQLite, from `node:sqlite` on Node 24 and later, else from `libsql`.
 *
 * libsql 0.5 is built on SQLite 3.45.1, and node:sqlite may be older than 3.51.3 too. Up to 3.51.2 two
 * connections that write or checkpoint at the same moment can corrupt the file (the WAL-reset bug).
 * So exactly one connection, the writer's, ever writes or checkpoints; all others only read.
 */

/** What is bound to a statement. */
export type SqlValue = string | number | Uint8Array | null;
/** The columns of a row, in the order of the SELECT. */
export type SqlRow = readonly unknown[];

/** A prepared statement, good for any number of calls. */
export interface Statement {
  run(...values: readonly SqlValue[]): void;
  /** Always steps to the end: a statement left half way would hold a read transaction open. */
  all(...values: readonly SqlValue[]): SqlRow[];
}

/** One connection. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  /** SQLite ends a transaction by itself after some errors, such as a full disk. */
  isInTransaction(): boolean;
  close(): void;
}

/** Opens a file, or makes it; throws what the driver throws. */
export type OpenDatabase = (path: string) => Database;

/** The driver that fits this Node. */
export async function loadDriver(): Promise<OpenDatabase> {
  return nodeDriver() ?? (await libsqlDriver());
}

/** The version of SQLite in use, for reports. */
export async function sqliteVersion(): Promise<string> {
  const database = (await loadDriver())(":memory:");
  try {
    const [row] = database.prepare("SELECT sqlite_version()").all();
    return String(row?.[0]);
  } finally {
    database.close();
  }
}

/** The SQLite result code of an error that either driver threw. */
export function sqliteCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const raw = "errcode" in error ? error.errcode : "rawCode" in error ? error.rawCode : undefined;
  // The low byte is the code, what is above it only says more about the cause.
  return typeof raw === "number" ? raw & 0xff : undefined;
}

/** The part of `node:sqlite` in use; the types of Node 20 do not know the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => NodeDatabase;
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): {
    run(...values: readonly SqlValue[]): unknown;
    all(...values: readonly SqlValue[]): object[];
  };
  readonly isTransaction: boolean;
  close(): void;
}

function nodeDriver(): OpenDatabase | undefined {
  // Node 22 has it too, but warns of it at every start, and up to 22.15 it lacks isTransaction.
  if (Number.parseInt(process.versions.node, 10) < 24) return undefined;
  const module = process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  if (!module) return undefined;
  return (path) => {
    const database = new module.DatabaseSync(path);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        return {
          run: (...values) => void statement.run(...values),
          all: (...values) => statement.all(...values).map((row) => Object.values(row)),
        };
      },
      isInTransaction: () => database.isTransaction,
      close: () => database.close(),
    };
  };
}

async function libsqlDriver(): Promise<OpenDatabase> {
  const { default: Libsql } = await import("libsql");
  return (path) => {
    const database = new Libsql(path);
    return {
      exec: (sql) => void database.exec(sql),
      prepare: (sql) => {
        const statement = database.prepare(sql);
        let isRaw = false;
        return {
          // Given as one array, libsql takes it as it is instead of flattening it first.
          run: (...values) => void statement.run(values),
          all: (...values) => {
            if (!isRaw) statement.raw();
            isRaw = true;
            return statement.all(...values) as SqlRow[];
          },
        };
      },
      isInTransaction: () => database.inTransaction,
      // The file is let go of once the statements are garbage, or the thread has ended.
      close: () => void database.close(),
    };
  };
}
