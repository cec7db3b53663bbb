import {
  type SearchHit,
  type SearchQuery,
  type SnippetPart,
  wordsOf,
} from "../../search/search.ts";
import type { Database } from "./driver.ts";

/** Matches that are looked at in one go; then the event loop has its turn. */
const MATCHES = 500;

/** Around a match in a snippet; no text has them, libsql and JSON aside. */
const START = "\u0002";
const END = "\u0003";

/** The session is null once it was deleted; the last column is empty unless it is still being made. */
type MatchColumns = readonly [number, string | null, number, "user" | "assistant", string, 1 | ""];

/** Finds what was said, on the connection of the reader. */
export class SearchReader {
  readonly #matches;
  readonly #snippet;
  readonly #backlog;

  constructor(database: Database) {
    this.#matches = database.prepare(
      `SELECT said_text.rowid, session_id, seq, role, owner,
         CASE WHEN json_valid(facts) THEN ifnull(json_extract(facts, '$.isPartial'), '') ELSE '' END
       FROM said_text LEFT JOIN said ON said.id = said_text.rowid
       LEFT JOIN sessions USING (session_key)
       WHERE said_text MATCH ?1 AND said_text.rowid < ?2
       ORDER BY said_text.rowid DESC LIMIT ${MATCHES}`,
    );
    this.#snippet = database.prepare(
      `SELECT snippet(said_text, 0, char(2), char(3), '…', 16) FROM said_text
       WHERE said_text MATCH ? AND rowid = ?`,
    );
    this.#backlog = database.prepare("SELECT 1 FROM search_backlog LIMIT 1");
  }

  /** Whether everything that is stored is found. */
  get isComplete(): boolean {
    return this.#backlog.all().length === 0;
  }

  /** The newest match of each session, a stretch of matches at a time. */
  *find({ text, owner, limit }: SearchQuery): Generator<undefined, SearchHit[]> {
    const match = matchFrom(text);
    if (match === undefined) return [];
    const hits = new Map<string, SearchHit>();
    let before = Number.MAX_SAFE_INTEGER;
    while (hits.size < limit) {
      const rows = this.#matches.all(match, before);
      for (const row of rows) {
        const [id, sessionId, seq, role, sessionOwner, isPartial] = row as MatchColumns;
        before = id;
        // Of a deleted session some texts may wait to be removed.
        if (sessionId === null || isPartial !== "" || hits.has(sessionId)) continue;
        if (owner !== undefined && owner !== sessionOwner) continue;
        const [marked] = (this.#snippet.all(match, id)[0] ?? []) as readonly string[];
        hits.set(sessionId, { sessionId, seq, role, snippet: partsOf(marked ?? "") });
        if (hits.size === limit) break;
      }
      if (rows.length < MATCHES) break;
      yield;
    }
    return [...hits.values()];
  }
}

/** A query in the language of FTS5: every word in quotes, the last one as a beginning. */
function matchFrom(text: string): string | undefined {
  const words = wordsOf(text);
  return words.length === 0 ? undefined : `${words.map((word) => `"${word}"`).join(" ")}*`;
}

function partsOf(marked: string): SnippetPart[] {
  return marked.split(START).flatMap((piece, index) => {
    const [match = "", rest = ""] = index === 0 ? ["", piece] : piece.split(END);
    return [
      ...(match === "" ? [] : [{ text: match, isMatch: true }]),
      ...(rest === "" ? [] : [{ text: rest, isMatch: false }]),
    ];
  });
}
