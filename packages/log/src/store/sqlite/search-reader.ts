import {
  type SearchHit,
  type SearchQuery,
  type SnippetPart,
  wordsOf,
} from "../../search/search.ts";
import type { Database } from "./driver.ts";

/** Matches that are looked at in one go; then the event loop has its turn. */
const MATCHES = 1_000;

/** A word that is in more messages than this finds no sessions that have it only in older ones. */
const MAX_MATCHES = 20_000;

/** Around a match in a snippet; no text has them, libsql and JSON aside. */
const START = "\u0002";
const END = "\u0003";

type MatchColumns = readonly [number, number, number, "user" | "assistant"];

/** The last column is empty unless the session is still being made. */
type SessionColumns = readonly [string, string, 1 | ""];

/** Finds what was said, on the connection of the reader. */
export class SearchReader {
  readonly #matches;
  readonly #session;
  readonly #snippet;
  readonly #backlog;

  constructor(database: Database) {
    this.#matches = database.prepare(
      `SELECT said_text.rowid, session_key, seq, role
       FROM said_text JOIN said ON said.id = said_text.rowid
       WHERE said_text MATCH ?1 AND said_text.rowid < ?2
       ORDER BY said_text.rowid DESC LIMIT ${MATCHES}`,
    );
    this.#session = database.prepare(
      `SELECT session_id, owner,
         CASE WHEN json_valid(facts) THEN ifnull(json_extract(facts, '$.isPartial'), '') ELSE '' END
       FROM sessions WHERE session_key = ?`,
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
    const hits: SearchHit[] = [];
    /** Sessions whose newest match was looked at. */
    const seen = new Set<number>();
    let before = Number.MAX_SAFE_INTEGER;
    for (let looked = 0; looked < MAX_MATCHES; looked += MATCHES) {
      const rows = this.#matches.all(match, before);
      for (const row of rows) {
        const [id, key, seq, role] = row as MatchColumns;
        before = id;
        if (seen.has(key)) continue;
        seen.add(key);
        const sessionId = this.#visibleSession(key, owner);
        if (sessionId === undefined) continue;
        const [marked] = (this.#snippet.all(match, id)[0] ?? []) as readonly string[];
        hits.push({ sessionId, seq, role, snippet: partsOf(marked ?? "") });
        if (hits.length === limit) return hits;
      }
      if (rows.length < MATCHES) break;
      yield;
    }
    return hits;
  }

  /** Undefined for another owner's, for one that is still being made, and once it was deleted: some texts may wait to be removed. */
  #visibleSession(key: number, owner: string | undefined): string | undefined {
    const [row] = this.#session.all(key);
    if (!row) return undefined;
    const [sessionId, sessionOwner, isPartial] = row as SessionColumns;
    const isVisible = isPartial === "" && (owner === undefined || owner === sessionOwner);
    return isVisible ? sessionId : undefined;
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
