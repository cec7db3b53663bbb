import { statSync } from "node:fs";
import { StoreError } from "../../store-error.ts";
import type { Database } from "./driver.ts";

/** Marks the file as a Turnwire store; "TWIR" in ASCII. */
const APPLICATION_ID = 0x54574952;

/**
 * The schema, one step per version. A step that was released never changes.
 *
 * libsql cuts a text at its first NUL when reading, so text that people or agents choose is kept as
 * JSON, which escapes it.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    -- AUTOINCREMENT: the key of a deleted session is never given again
    session_key INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    epoch TEXT NOT NULL,
    generation INTEGER NOT NULL,
    status TEXT NOT NULL,
    activity TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    head INTEGER NOT NULL,
    trimmed INTEGER NOT NULL,
    -- JSON object of the optional fields of the record
    facts TEXT NOT NULL
  );
  CREATE INDEX sessions_by_update ON sessions (updated_at, session_id);
  CREATE INDEX sessions_by_owner ON sessions (owner, updated_at, session_id);

  -- JSON object of what never changes in a record; apart, because every write to a row writes all of it
  CREATE TABLE origins (session_key INTEGER PRIMARY KEY, json TEXT NOT NULL);

  CREATE TABLE events (
    session_key INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    json TEXT NOT NULL,
    crc INTEGER NOT NULL,
    PRIMARY KEY (session_key, seq)
  ) WITHOUT ROWID;

  CREATE TABLE inputs (
    session_key INTEGER NOT NULL,
    -- as a JSON string
    client_message_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (session_key, client_message_id)
  ) WITHOUT ROWID;

  CREATE TABLE bases (session_key INTEGER PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL);
  `,
  `
  -- Rows that are not visible any more and that are removed bit by bit
  CREATE TABLE purges (session_key INTEGER PRIMARY KEY, up_to INTEGER NOT NULL);

  -- One row: how the process that has the store open wrote, or NULL after a clean close
  CREATE TABLE open_mark (id INTEGER PRIMARY KEY CHECK (id = 1), mark TEXT);
  INSERT INTO open_mark VALUES (1, NULL);
  `,
  `
  -- A row holds so many consecutive events, the last of them with the row's seq: json has one a line,
  -- and so has type unless all are of one
  ALTER TABLE events ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
  `,
  `
  -- What events name and is too large for them, each content once. Events that were written before
  -- keep what they hold, whatever its size: a position never changes its bytes
  CREATE TABLE blobs (
    -- AUTOINCREMENT: the key of a removed blob is never given again
    blob_key INTEGER PRIMARY KEY AUTOINCREMENT,
    digest TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL
  );
  CREATE TABLE blob_chunks (
    blob_key INTEGER NOT NULL,
    position INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (blob_key, position)
  );
  CREATE TABLE attachments (
    session_key INTEGER NOT NULL,
    blob_key INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    PRIMARY KEY (session_key, blob_key)
  ) WITHOUT ROWID;
  CREATE INDEX attachments_by_blob ON attachments (blob_key);
  `,
  `
  -- What people and agents said, newest last; the text is in said_text, under the same id
  CREATE TABLE said (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_key INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    role TEXT NOT NULL,
    message_id TEXT NOT NULL,
    -- the seq at which its turn began; NULL before that
    turn_seq INTEGER
  );
  CREATE INDEX said_by_message ON said (session_key, message_id);
  CREATE VIRTUAL TABLE said_text USING fts5 (text, tokenize = 'unicode61 remove_diacritics 2');
  CREATE TABLE said_turns (
    session_key INTEGER NOT NULL,
    turn_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session_key, turn_id)
  ) WITHOUT ROWID;

  -- Sessions of earlier versions: their events after one seq up to another are not searchable yet
  CREATE TABLE search_backlog (
    session_key INTEGER PRIMARY KEY,
    after INTEGER NOT NULL,
    up_to INTEGER NOT NULL
  );
  INSERT INTO search_backlog SELECT session_key, trimmed, head FROM sessions WHERE head > trimmed;
  `,
  `
  -- Commands for whoever holds a session; body and result are JSON
  CREATE TABLE inbox (
    entry_key INTEGER PRIMARY KEY AUTOINCREMENT,
    entry_id TEXT NOT NULL UNIQUE,
    session_key INTEGER NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    begun_in INTEGER,
    result TEXT,
    answered_at INTEGER
  );
  CREATE INDEX inbox_waiting ON inbox (session_key, entry_key) WHERE result IS NULL;
  CREATE INDEX inbox_answered ON inbox (answered_at) WHERE answered_at IS NOT NULL;

  -- Sessions that are gone for everybody but those who still read their last events
  CREATE TABLE deleted_sessions (
    session_id TEXT PRIMARY KEY,
    session_key INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    head INTEGER NOT NULL,
    trimmed INTEGER NOT NULL,
    deleted_at INTEGER NOT NULL
  );
  `,
  `
  -- What agents write down of their conversations, to continue them where their own files are gone;
  -- names and ids as JSON strings
  CREATE TABLE transcripts (
    transcript_key INTEGER PRIMARY KEY AUTOINCREMENT,
    session_key INTEGER NOT NULL,
    conversation TEXT NOT NULL,
    -- '""' for the conversation itself
    part TEXT NOT NULL,
    UNIQUE (conversation, part)
  );
  CREATE INDEX transcripts_by_session ON transcripts (session_key);
  CREATE TABLE transcript_lines (
    line_key INTEGER PRIMARY KEY AUTOINCREMENT,
    transcript_key INTEGER NOT NULL,
    line_id TEXT,
    text TEXT NOT NULL
  );
  CREATE INDEX transcript_lines_in_order ON transcript_lines (transcript_key, line_key);
  CREATE UNIQUE INDEX transcript_lines_by_id ON transcript_lines (transcript_key, line_id)
    WHERE line_id IS NOT NULL;
  `,
];

/** The schema version this code writes. */
export const SCHEMA_VERSION = migrations.length;

/** Brings the schema to `target`, all steps or none; refuses files that are not ours. */
export function migrate(database: Database, path: string, target = SCHEMA_VERSION): void {
  const version = schemaVersion(database, path);
  if (version > SCHEMA_VERSION) {
    throw new StoreError(
      "schema_too_new",
      `${path} has schema ${version}, this Turnwire knows up to ${SCHEMA_VERSION}: start a newer Turnwire`,
    );
  }
  if (version >= target) return;
  database.exec(`
    BEGIN IMMEDIATE;
    ${migrations.slice(version, target).join("\n")}
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${target};
    COMMIT;
  `);
}

/** Refuses a file whose end is missing: SQLite notices only when it reads a page there, which may be much later. */
export function checkLength(database: Database, path: string): void {
  // What is not in the file yet may be in the WAL.
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (wal && wal.size > 0) return;
  const length = pragma(database, "page_count") * pragma(database, "page_size");
  if (statSync(path).size >= length) return;
  throw new StoreError(
    "corrupt",
    `${path} is damaged (its end is missing): restore it from a backup`,
  );
}

function schemaVersion(database: Database, path: string): number {
  const applicationId = pragma(database, "application_id");
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all().length === 0;
  if (applicationId !== APPLICATION_ID && !isEmpty) {
    throw new StoreError(
      "corrupt",
      `${path} is a database of another program: give the store a path of its own`,
    );
  }
  return pragma(database, "user_version");
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).all()[0]?.[0]);
}
