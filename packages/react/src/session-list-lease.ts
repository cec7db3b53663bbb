import type { SessionListStore, SessionQuery, TurnwireClient } from "@turnwire/client";

/** One holder's part in a list that all components with the same query share. */
export interface SessionListLease {
  readonly list: SessionListStore;
  readonly release: () => void;
}

interface Entry {
  readonly list: SessionListStore;
  holders: number;
}

const entries = new WeakMap<TurnwireClient, Map<string, Entry>>();

/** Opens a list, or joins the one that is open; it is closed with its last holder. */
export function holdSessionList(
  client: TurnwireClient,
  query: Omit<SessionQuery, "after">,
): SessionListLease {
  const lists = entries.get(client) ?? new Map<string, Entry>();
  entries.set(client, lists);
  const key = JSON.stringify([query.limit, query.status, query.activity]);
  const entry = lists.get(key) ?? { list: client.openSessionList(query), holders: 0 };
  lists.set(key, entry);
  entry.holders += 1;
  return {
    list: entry.list,
    release: () => {
      entry.holders -= 1;
      if (entry.holders > 0) return;
      lists.delete(key);
      entry.list.close();
    },
  };
}
