/** The tables of logs: sessions, events, inputs, attachments, what was said, inboxes, holders. */
export const logTables = `
  -- Who lives, by this server's clock
  CREATE TABLE turnwire.holders (
    holder text PRIMARY KEY,
    lives_until timestamptz NOT NULL,
    seen_at timestamptz NOT NULL,
    -- JSON object, of hosts that described themselves
    description text
  ) WITH (fillfactor = 50);

  -- A narrow row per session, for what every append changes: no index has a column that it changes, and
  -- there is room for the next version beside it, so that Postgres writes it in place (HOT)
  CREATE TABLE turnwire.heads (
    session_id text COLLATE "C" PRIMARY KEY,
    session_key bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    generation bigint NOT NULL,
    -- who has the lease; NULL once it was released
    holder text,
    head bigint NOT NULL DEFAULT 0,
    trimmed bigint NOT NULL DEFAULT 0,
    -- until the session is purged, those who follow it read its last events
    deleted_at timestamptz
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
  CREATE INDEX heads_by_holder ON turnwire.heads (holder) WHERE holder IS NOT NULL;
  CREATE INDEX heads_deleted ON turnwire.heads (deleted_at) WHERE deleted_at IS NOT NULL;

  -- Records of sessions. Postgres takes no NUL in a text, nor in jsonb, so texts that people or agents
  -- choose are kept as JSON
  CREATE TABLE turnwire.sessions (
    session_key bigint PRIMARY KEY,
    session_id text COLLATE "C" NOT NULL,
    -- a JSON string
    owner text NOT NULL,
    epoch text NOT NULL,
    status text NOT NULL,
    activity text NOT NULL,
    updated_at text COLLATE "C" NOT NULL,
    is_partial boolean NOT NULL,
    storage text,
    -- JSON object of what never changes
    origin text NOT NULL,
    -- the optional fields, each as JSON text
    facts jsonb NOT NULL
  ) WITH (fillfactor = 80);
  CREATE INDEX sessions_by_update ON turnwire.sessions (updated_at, session_id);
  CREATE INDEX sessions_by_owner ON turnwire.sessions (owner, updated_at, session_id);
  CREATE INDEX sessions_unsettled ON turnwire.sessions (updated_at, session_id)
    WHERE is_partial OR activity <> 'idle' OR status = 'live';

  -- In 16 parts by session: each has an index a sixteenth the size, and is vacuumed by itself
  CREATE TABLE turnwire.events (
    session_key bigint NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    json text NOT NULL,
    crc bigint NOT NULL,
    PRIMARY KEY (session_key, seq)
  ) PARTITION BY HASH (session_key);
  DO $$ BEGIN
    FOR part IN 0..15 LOOP
      EXECUTE format('CREATE TABLE turnwire.events_%s PARTITION OF turnwire.events
        FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    END LOOP;
  END $$;

  CREATE TABLE turnwire.inputs (
    session_key bigint NOT NULL,
    -- a JSON string
    client_message_id text NOT NULL,
    seq bigint NOT NULL,
    digest text NOT NULL,
    PRIMARY KEY (session_key, client_message_id)
  );

  CREATE TABLE turnwire.bases (
    session_key bigint PRIMARY KEY,
    seq bigint NOT NULL,
    -- JSON
    state text NOT NULL
  );

  -- What events name and is too large for them, each content once
  CREATE TABLE turnwire.blobs (
    digest text PRIMARY KEY,
    size bigint NOT NULL,
    content bytea NOT NULL
  );
  -- Not compressed, so that a range is read without the rest
  ALTER TABLE turnwire.blobs ALTER COLUMN content SET STORAGE EXTERNAL;
  CREATE TABLE turnwire.attachments (
    session_key bigint NOT NULL,
    digest text NOT NULL,
    -- a JSON string
    media_type text NOT NULL,
    PRIMARY KEY (session_key, digest)
  );
  CREATE INDEX attachments_by_digest ON turnwire.attachments (digest);

  -- What people and agents said, newest last; the ids are JSON strings
  CREATE TABLE turnwire.said (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_key bigint NOT NULL,
    seq bigint NOT NULL,
    role text NOT NULL,
    message_id text NOT NULL,
    -- the seq at which its turn began; NULL before that
    turn_seq bigint,
    -- a JSON string
    text text NOT NULL,
    words tsvector NOT NULL
  );
  CREATE INDEX said_by_message ON turnwire.said (session_key, message_id);
  CREATE INDEX said_by_word ON turnwire.said USING gin (words);
  CREATE TABLE turnwire.said_turns (
    session_key bigint NOT NULL,
    turn_id text NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (session_key, turn_id)
  );

  -- Commands for whoever holds a session; body and result are JSON
  CREATE TABLE turnwire.inbox (
    entry_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    entry_id text NOT NULL UNIQUE,
    session_key bigint NOT NULL,
    body text NOT NULL,
    at timestamptz NOT NULL,
    begun_in bigint,
    result text,
    answered_at timestamptz
  );
  CREATE INDEX inbox_waiting ON turnwire.inbox (session_key, entry_key) WHERE result IS NULL;
  CREATE INDEX inbox_answered ON turnwire.inbox (answered_at) WHERE answered_at IS NOT NULL;
`;
