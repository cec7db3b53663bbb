import type { Database } from "./driver.ts";
import { selectRecord } from "./record-row.ts";

/** The statements of the writer, prepared once. */
export function prepareStatements(database: Database) {
  const prepare = (sql: string) => database.prepare(sql);
  return {
    sessionKey: prepare("SELECT session_key FROM sessions WHERE session_id = ?"),
    position: prepare(
      "SELECT session_key, generation, head, trimmed FROM sessions WHERE session_id = ?",
    ),
    record: prepare(`${selectRecord} WHERE session_id = ?`),
    input: prepare("SELECT 1 FROM inputs WHERE session_key = ? AND client_message_id = ?"),
    unsettled: prepare(`
      SELECT session_id FROM sessions LEFT JOIN origins USING (session_key)
      WHERE (
        activity <> 'idle'
        OR (status = 'live' AND head > 1)
        OR json_valid(facts) AND json_extract(facts, '$.isPartial') IS NOT NULL
        OR EXISTS (SELECT 1 FROM inbox WHERE inbox.session_key = sessions.session_key AND result IS NULL)
      ) AND (
        ?1 OR json_valid(json) AND coalesce(json_extract(json, '$.storage'), ?2) = ?2
      )
      ORDER BY updated_at, session_id`),
    insertSession: prepare(`
      INSERT INTO sessions
        (session_id, owner, epoch, generation, status, activity, updated_at, facts, head, trimmed)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)`),
    insertOrigin: prepare("INSERT INTO origins VALUES (?, ?)"),
    insertEvents: prepare(`
      INSERT INTO events (session_key, seq, count, type, json, crc) VALUES (?, ?, ?, ?, ?, ?)`),
    insertInput: prepare("INSERT INTO inputs VALUES (?, ?, ?, ?)"),
    setGeneration: prepare("UPDATE sessions SET generation = ? WHERE session_key = ?"),
    setHead: prepare("UPDATE sessions SET head = ? WHERE session_key = ?"),
    setRecord: prepare(`
      UPDATE sessions SET
        head = ?,
        status = coalesce(?, status),
        activity = coalesce(?, activity),
        updated_at = coalesce(?, updated_at),
        facts = json_patch(facts, ?)
      WHERE session_key = ?`),
    setTrimmed: prepare("UPDATE sessions SET trimmed = ? WHERE session_key = ?"),
    setBase: prepare("INSERT OR REPLACE INTO bases VALUES (?, ?, ?)"),
    // No session has the key 0. SQLite does not write a row that stays the same, so it counts.
    probe: prepare(`
      INSERT INTO bases VALUES (0, 0, '') ON CONFLICT (session_key) DO UPDATE SET seq = seq + 1`),
  };
}
