import { crc32 } from "node:zlib";
import type { StoredEvent } from "../../store.ts";
import type { Database, SqlValue } from "./driver.ts";

/** Rows of one statement: a call into SQLite costs more than a row, and beyond this little is left to win. */
const ROWS = 32;

/** Prepares what inserts the consecutive events of a session, many with one call. */
export function prepareEventInsert(
  database: Database,
): (key: number, events: readonly StoredEvent[]) => void {
  const insertOne = database.prepare(insertSql(1));
  const insertMany = database.prepare(insertSql(ROWS));
  return (key, events) => {
    let next = 0;
    for (; next + ROWS <= events.length; next += ROWS) {
      insertMany.run(...valuesOf(key, events.slice(next, next + ROWS)));
    }
    for (const event of events.slice(next)) insertOne.run(...valuesOf(key, [event]));
  };
}

/** The key and the first seq are bound once for all rows. */
function insertSql(rows: number): string {
  const row = (index: number) => {
    const type = 3 + 3 * index;
    return `(?1, ?2 + ${index}, ?${type}, ?${type + 1}, ?${type + 2})`;
  };
  return `INSERT INTO events VALUES ${Array.from({ length: rows }, (_, index) => row(index)).join()}`;
}

function valuesOf(key: number, events: readonly StoredEvent[]): SqlValue[] {
  const values: SqlValue[] = [key, events[0]?.seq ?? 0];
  for (const { type, json } of events) values.push(type, json, crc32(json));
  return values;
}
