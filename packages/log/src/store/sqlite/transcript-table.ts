import { setImmediate } from "node:timers/promises";
import type {
  TranscriptKey,
  TranscriptLease,
  TranscriptLine,
  Transcripts,
} from "../../transcripts.ts";
import type { Database } from "./driver.ts";
import type { SteppedReader } from "./stepped-reader.ts";
import type { WriteAnswers, WriteOf } from "./write.ts";

/** Lines that one step reads. */
const PAGE_LINES = 500;

/** Writes transcripts. Called inside the writer's transactions, for sessions that it has checked. */
export class TranscriptWriter {
  readonly #claim;
  readonly #key;
  readonly #insert;
  readonly #forgetLines;
  readonly #forget;

  constructor(database: Database) {
    // A copy's transcript is written for the copy.
    this.#claim = database.prepare(
      `INSERT INTO transcripts (session_key, conversation, part) VALUES (?, ?, ?)
       ON CONFLICT (conversation, part) DO UPDATE SET session_key = excluded.session_key`,
    );
    this.#key = database.prepare(selectKey);
    this.#insert = database.prepare(
      "INSERT OR IGNORE INTO transcript_lines (transcript_key, line_id, text) VALUES (?, ?, ?)",
    );
    this.#forgetLines = database.prepare(
      `DELETE FROM transcript_lines WHERE transcript_key IN
       (SELECT transcript_key FROM transcripts WHERE session_key = ?)`,
    );
    this.#forget = database.prepare("DELETE FROM transcripts WHERE session_key = ?");
  }

  append(sessionKey: number, key: TranscriptKey, lines: readonly TranscriptLine[]): void {
    const names = namesOf(key);
    this.#claim.run(sessionKey, ...names);
    const transcriptKey = Number(this.#key.all(...names)[0]?.[0]);
    for (const { id, text } of lines) {
      this.#insert.run(transcriptKey, id === undefined ? null : JSON.stringify(id), text);
    }
  }

  forget(sessionKey: number): void {
    this.#forgetLines.run(sessionKey);
    this.#forget.run(sessionKey);
  }
}

/** Reads transcripts through the reader's connection. */
export class TranscriptReader {
  readonly #key;
  readonly #lines;
  readonly #parts;

  constructor(database: Database) {
    this.#key = database.prepare(selectKey);
    this.#lines = database.prepare(
      `SELECT line_key, line_id, text FROM transcript_lines
       WHERE transcript_key = ? AND line_key > ? ORDER BY line_key LIMIT ${PAGE_LINES}`,
    );
    this.#parts = database.prepare(
      `SELECT part FROM transcripts WHERE conversation = ? AND part <> '""'`,
    );
  }

  find(key: TranscriptKey): number | undefined {
    const [row] = this.#key.all(...namesOf(key));
    return row && Number(row[0]);
  }

  page(transcriptKey: number, after: number): { last: number; lines: TranscriptLine[] } {
    const rows = this.#lines.all(transcriptKey, after);
    const lines = rows.map(([, id, text]) => ({
      ...(typeof id === "string" && { id: String(JSON.parse(id)) }),
      text: String(text),
    }));
    return { last: Number(rows.at(-1)?.[0] ?? after), lines };
  }

  parts(conversation: string): string[] {
    const rows = this.#parts.all(JSON.stringify(conversation));
    return rows.map(([part]) => String(JSON.parse(String(part))));
  }
}

const selectKey = "SELECT transcript_key FROM transcripts WHERE conversation = ? AND part = ?";

/** Names as JSON, because libsql cuts a text at its first NUL. Lines are JSON already. */
function namesOf({ conversation, part = "" }: TranscriptKey): [string, string] {
  return [JSON.stringify(conversation), JSON.stringify(part)];
}

type AppendTranscript = (
  write: WriteOf<"append_transcript">,
) => Promise<WriteAnswers["append_transcript"]>;

/** The transcripts of a store. */
export class TranscriptTable implements Transcripts {
  readonly #reader: SteppedReader;
  readonly #append: AppendTranscript;

  constructor(reader: SteppedReader, append: AppendTranscript) {
    this.#reader = reader;
    this.#append = append;
  }

  async appendTranscript(
    key: TranscriptKey,
    { sessionId, generation }: TranscriptLease,
    lines: readonly TranscriptLine[],
  ): Promise<void> {
    await this.#append({ type: "append_transcript", sessionId, generation, key, lines });
  }

  async loadTranscript(key: TranscriptKey): Promise<TranscriptLine[] | undefined> {
    const found = this.#reader.query((reader) => reader.transcripts.find(key));
    if (found === undefined) return undefined;
    const lines: TranscriptLine[] = [];
    for (let after = 0; ;) {
      const page = this.#reader.query((reader) => reader.transcripts.page(found, after));
      lines.push(...page.lines);
      if (page.lines.length < PAGE_LINES) return lines.length > 0 ? lines : undefined;
      after = page.last;
      await setImmediate();
    }
  }

  async listTranscriptParts(conversation: string): Promise<string[]> {
    return this.#reader.query((reader) => reader.transcripts.parts(conversation));
  }
}
