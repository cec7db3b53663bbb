import type { SessionMatch, SessionSearch, Principal } from "@turnwire/protocol";
import type { SearchHit } from "@turnwire/log";
import type { ListSource } from "./session-list.ts";
import { infoFromRecord } from "../2-session/record/session-record.ts";

export interface SearchWish {
  readonly principal: Principal;
  readonly text: string;
  readonly limit: number;
}

/** The sessions of a principal in which something was said; undefined where the store cannot search. */
export async function searchSessions(
  { principal, text, limit }: SearchWish,
  source: ListSource,
): Promise<SessionSearch | undefined> {
  const found = await source.store.search?.({
    text,
    limit,
    ...(!principal.isAdmin && { owner: principal.id }),
  });
  if (!found) return undefined;
  const matches = await Promise.all(found.hits.map((hit) => matchFrom(hit, source)));
  return {
    results: matches.filter((match) => match !== undefined),
    is_complete: found.isComplete,
  };
}

/** Undefined when the session was deleted meanwhile. */
async function matchFrom(
  { sessionId, seq, role, snippet }: SearchHit,
  { store, runtimes, rangeOf }: ListSource,
): Promise<SessionMatch | undefined> {
  const record = await store.getSession(sessionId);
  if (!record) return undefined;
  const range = rangeOf(sessionId);
  const session = infoFromRecord(record, runtimes.get(record.runtime), range && { range });
  const parts = snippet.map((part) => ({ text: part.text, is_match: part.isMatch }));
  return { session, seq, role, snippet: parts };
}
