import { detach } from "@turnwire/base";
import type { SessionMatch, SessionSearch } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";

export interface TextSearch {
  readonly matches: readonly SessionMatch[];
  /** `failed`: only titles were searched. */
  readonly status: "idle" | "searching" | "done" | "failed";
  /** False while older sessions are still being made searchable. */
  readonly isComplete: boolean;
}

const idle: TextSearch = { matches: [], status: "idle", isComplete: true };

/** A shorter query would find nearly everything. */
const SHORTEST = 2;
/** What is typed within a pause is asked for once. */
const PAUSE_MS = 150;

/** What was said in sessions, as far as it has the words of the query. */
export function useTextSearch(query: string): TextSearch {
  const client = useClient();
  const [answer, setAnswer] = useState<{
    readonly query: string;
    readonly found?: SessionSearch;
  }>();
  const words = query.trim();
  const isWanted = words.length >= SHORTEST;
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const found = await client.sessions.search(words, { signal: abort.signal });
      setAnswer({ query: words, found });
    };
    const timer = setTimeout(() => {
      detach(ask(), () => {
        if (!abort.signal.aborted) setAnswer({ query: words });
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, words, isWanted]);
  if (!isWanted) return idle;
  const matches = answer?.found?.results ?? [];
  const isComplete = answer?.found?.is_complete ?? true;
  if (answer?.query !== words) return { matches, status: "searching", isComplete };
  return { matches, status: answer.found ? "done" : "failed", isComplete };
}
