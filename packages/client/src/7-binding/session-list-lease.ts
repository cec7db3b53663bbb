import type { SessionQuery } from "../6-session/session-api.ts";
import type { SessionListStore } from "../6-session/session-list-store.ts";

/** Which sessions a list shows. */
export type SessionListQuery = Omit<SessionQuery, "after">;

/** One holder's part in a list that all with the same query share. */
export interface SessionListLease {
  readonly list: SessionListStore;
  /** Harmless when called again. */
  readonly release: () => void;
}

interface SessionListSource {
  openSessionList(query: SessionListQuery): SessionListStore;
}

interface Entry {
  readonly list: SessionListStore;
  holders: number;
}

const entries = new WeakMap<SessionListSource, Map<string, Entry>>();

/** Opens a list of the client's, or joins the one that is open; it is closed with its last holder. */
export function holdSessionList(
  client: SessionListSource,
  query: SessionListQuery,
): SessionListLease {
  const lists = entries.get(client) ?? new Map<string, Entry>();
  entries.set(client, lists);
  const key = JSON.stringify([query.limit, query.status, query.activity]);
  const entry = lists.get(key) ?? { list: client.openSessionList(query), holders: 0 };
  lists.set(key, entry);
  entry.holders += 1;
  let isReleased = false;
  return {
    list: entry.list,
    release: () => {
      if (isReleased) return;
      isReleased = true;
      entry.holders -= 1;
      if (entry.holders > 0) return;
      lists.delete(key);
      entry.list.close();
    },
  };
}
