import type { SaidChange } from "../../search/said.ts";
import { type SearchHit, type SearchPage, type SearchQuery, wordsOf } from "../../search/search.ts";
import { snippetOf } from "../../search/search-memory.ts";
import type { SqlRow, Statements } from "./database.ts";

/** Postgres refuses words beyond 2,046 bytes. */
const WORD_LENGTH = 500;
/** A tsvector has room for 2^20 bytes of words. Postgres does not check that here: what has more cannot be read, nor dumped. */
const WORDS_BYTES = 1_000_000;
/** A word that is in more messages than this finds no sessions that have it only in older ones. */
const MAX_MATCHES = 20_000;

const insertSaid = `
  INSERT INTO turnwire.said (session_key, seq, role, message_id, turn_seq, text, words)
  VALUES ($1, $2, $3, $4,
    (SELECT seq FROM turnwire.said_turns WHERE session_key = $1 AND turn_id = $5),
    $6, array_to_tsvector($7::text[]))`;
const insertTurn = `
  INSERT INTO turnwire.said_turns (session_key, turn_id, seq) VALUES ($1, $2, $3)
  ON CONFLICT (session_key, turn_id) DO UPDATE SET seq = excluded.seq`;
const setTurn = `
  UPDATE turnwire.said SET turn_seq = $3 WHERE session_key = $1 AND message_id = $2`;
const removeFrom = `
  DELETE FROM turnwire.said WHERE session_key = $1 AND turn_seq >=
    (SELECT seq FROM turnwire.said_turns WHERE session_key = $1 AND turn_id = $2)`;
const removeMessage = "DELETE FROM turnwire.said WHERE session_key = $1 AND message_id = $2";

/** Keeps what was said searchable, in the transaction that writes the event. */
export async function applySaid(
  statements: Statements,
  key: number,
  change: SaidChange,
): Promise<void> {
  switch (change.type) {
    case "said": {
      const { seq, role, messageId, turnId, text } = change;
      const turn = turnId === undefined ? null : JSON.stringify(turnId);
      const words = distinctWords(text);
      const place = [key, seq, role, JSON.stringify(messageId), turn];
      await statements.run(insertSaid, [...place, JSON.stringify(text), words]);
      return;
    }
    case "turn_started": {
      const { seq, turnId, messageId } = change;
      await statements.run(insertTurn, [key, JSON.stringify(turnId), seq]);
      if (messageId === undefined) return;
      await statements.run(setTurn, [key, JSON.stringify(messageId), seq]);
      return;
    }
    case "rolled_back":
      await statements.run(removeFrom, [key, JSON.stringify(change.turnId)]);
      return;
    case "cancelled":
      await statements.run(removeMessage, [key, JSON.stringify(change.messageId)]);
  }
}

/** Each word once, as many as there is room for. */
function distinctWords(text: string): string[] {
  const words = new Set<string>();
  let bytes = 0;
  for (const word of storedWords(text)) {
    if (words.has(word)) continue;
    bytes += Buffer.byteLength(word);
    if (bytes > WORDS_BYTES) break;
    words.add(word);
  }
  return [...words];
}

function storedWords(text: string): string[] {
  return wordsOf(text).map((word) => word.slice(0, WORD_LENGTH));
}

const find = `
  SELECT s.session_id, found.seq, found.role, t.text FROM (
    SELECT DISTINCT ON (session_key) session_key, id, seq, role FROM (
      SELECT session_key, id, seq, role FROM turnwire.said
      WHERE words @@ $1::tsquery ORDER BY id DESC LIMIT ${MAX_MATCHES}
    ) AS newest ORDER BY session_key, id DESC
  ) AS found
  JOIN turnwire.said AS t USING (id)
  JOIN turnwire.sessions AS s ON s.session_key = found.session_key
  WHERE NOT s.is_partial AND ($2::text IS NULL OR s.owner = $2)
  ORDER BY found.id DESC LIMIT $3`;

interface HitRow extends SqlRow {
  readonly session_id: string;
  readonly seq: number;
  readonly role: "user" | "assistant";
  readonly text: string;
}

export async function searchSaid(
  statements: Statements,
  { text, owner, limit }: SearchQuery,
): Promise<SearchPage> {
  const words = storedWords(text);
  if (words.length === 0) return { hits: [], isComplete: true };
  // Words are letters and digits: nothing in them has a meaning in a tsquery.
  const query = `${words.map((word) => `'${word}'`).join(" & ")}:*`;
  const wanted = owner === undefined ? null : JSON.stringify(owner);
  const rows = await statements.run<HitRow>(find, [query, wanted, limit]);
  const hits = rows.map((row): SearchHit => {
    const { session_id: sessionId, seq, role } = row;
    return { sessionId, seq, role, snippet: snippetOf(JSON.parse(row.text), words) };
  });
  return { hits, isComplete: true };
}

const removeSaid = [
  "DELETE FROM turnwire.said WHERE session_key = $1",
  "DELETE FROM turnwire.said_turns WHERE session_key = $1",
];

export async function forgetSaid(statements: Statements, sessionKey: number): Promise<void> {
  for (const statement of removeSaid) await statements.run(statement, [sessionKey]);
}
