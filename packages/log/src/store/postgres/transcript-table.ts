import type {
  TranscriptKey,
  TranscriptLease,
  TranscriptLine,
  Transcripts,
} from "../../transcripts.ts";
import type { Database, SqlRow, Statements } from "./database.ts";
import { lockOwnedSession } from "./session-table.ts";

/** What agents wrote down of their conversations, to be continued on any host. */
export const transcriptTables = `
  CREATE TABLE turnwire.transcripts (
    transcript_key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_key bigint NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    -- empty for the conversation itself
    part text COLLATE "C" NOT NULL,
    UNIQUE (conversation, part)
  );
  CREATE INDEX transcripts_by_session ON turnwire.transcripts (session_key);

  CREATE TABLE turnwire.transcript_lines (
    transcript_key bigint NOT NULL REFERENCES turnwire.transcripts ON DELETE CASCADE,
    line_key bigint GENERATED ALWAYS AS IDENTITY,
    line_id text,
    text text NOT NULL,
    PRIMARY KEY (transcript_key, line_key)
  );
  CREATE UNIQUE INDEX transcript_lines_by_id ON turnwire.transcript_lines (transcript_key, line_id)
    WHERE line_id IS NOT NULL;
`;

/** The session that writes has it from now on: a copy's transcript is written for the copy. */
const claim = `
  INSERT INTO turnwire.transcripts AS t (session_key, conversation, part) VALUES ($1, $2, $3)
  ON CONFLICT (conversation, part) DO UPDATE SET session_key = excluded.session_key
  RETURNING transcript_key, (
    SELECT max(line_key) FROM turnwire.transcript_lines AS l
    WHERE l.transcript_key = t.transcript_key
  ) AS newest`;

const insertLines = `
  INSERT INTO turnwire.transcript_lines (transcript_key, line_id, text)
  SELECT $1, line.id, line.text
  FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS line (id, text, place)
  ORDER BY line.place
  ON CONFLICT DO NOTHING`;

/** A line without an id is stored again by a repeat, unless it is found here. */
const findLine = `
  SELECT FROM turnwire.transcript_lines
  WHERE transcript_key = $1 AND line_key > $2 AND line_id IS NULL AND text = $3 LIMIT 1`;

/** Lines that one statement reads. */
const PAGE_LINES = 500;
const selectKey = `
  SELECT transcript_key FROM turnwire.transcripts WHERE conversation = $1 AND part = $2`;
const selectLines = `
  SELECT line_key, line_id, text FROM turnwire.transcript_lines
  WHERE transcript_key = $1 AND line_key > $2 ORDER BY line_key LIMIT ${PAGE_LINES}`;
const selectParts = `
  SELECT part FROM turnwire.transcripts WHERE conversation = $1 AND part <> ''`;
const remove = "DELETE FROM turnwire.transcripts WHERE session_key = $1";

interface LineRow extends SqlRow {
  readonly line_key: number;
  readonly line_id: string | null;
  readonly text: string;
}

/** Writes for a session, after its earlier writes. */
type Write = (sessionId: string, work: (database: Database) => Promise<void>) => Promise<void>;

export class TranscriptTable implements Transcripts {
  readonly #open: () => Database;
  readonly #write: Write;

  constructor(open: () => Database, write: Write) {
    this.#open = open;
    this.#write = write;
  }

  appendTranscript(
    key: TranscriptKey,
    { sessionId, generation }: TranscriptLease,
    lines: readonly TranscriptLine[],
  ): Promise<void> {
    const { conversation, part = "" } = key;
    const nameless = lines.find(({ id }) => id === undefined);
    /** The newest line before the first attempt. */
    let before: number | undefined;
    const work = async (statements: Statements): Promise<void> => {
      const owned = await lockOwnedSession(statements, sessionId, generation);
      type Row = { transcript_key: number; newest: number | null };
      const claimed = [owned.session_key, conversation, part];
      const [row] = await statements.run<Row>(claim, claimed);
      const transcriptKey = row?.transcript_key ?? 0;
      if (before !== undefined && nameless) {
        const found = [transcriptKey, before, nameless.text];
        if ((await statements.run(findLine, found)).length > 0) return;
      }
      before ??= row?.newest ?? 0;
      const ids = lines.map(({ id = null }) => id);
      const texts = lines.map(({ text }) => text);
      await statements.run(insertLines, [transcriptKey, ids, texts]);
    };
    return this.#write(sessionId, (database) => database.transaction(work, { isRepeatable: true }));
  }

  async loadTranscript({
    conversation,
    part = "",
  }: TranscriptKey): Promise<TranscriptLine[] | undefined> {
    type Row = { transcript_key: number };
    const database = this.#open();
    const [found] = await database.run<Row>(selectKey, [conversation, part]);
    if (!found) return undefined;
    const lines: TranscriptLine[] = [];
    for (let after = 0; ;) {
      const page = await database.run<LineRow>(selectLines, [found.transcript_key, after]);
      lines.push(...page.map(({ line_id: id, text }) => ({ ...(id !== null && { id }), text })));
      if (page.length < PAGE_LINES) return lines.length > 0 ? lines : undefined;
      after = page.at(-1)?.line_key ?? 0;
    }
  }

  async listTranscriptParts(conversation: string): Promise<string[]> {
    const rows = await this.#open().run<{ part: string }>(selectParts, [conversation]);
    return rows.map(({ part }) => part);
  }
}

/** With all of their lines. */
export async function removeTranscripts(statements: Statements, sessionKey: number): Promise<void> {
  await statements.run(remove, [sessionKey]);
}
