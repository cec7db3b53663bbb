import { defined } from "@turnwire/base";
import type { SessionListStore, SessionListView } from "@turnwire/client";
import { emptyList, holdSessionList, type SessionListQuery } from "@turnwire/client/binding";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useClient } from "./turnwire-provider.tsx";

export interface SessionListState extends SessionListView {
  /** Adds the next page of older sessions; harmless when there is none. */
  readonly loadMore: () => Promise<void>;
  /** Requests the list again, at once, also after a final failure. */
  readonly refresh: () => void;
}

/** The principal's sessions, newest update first, followed while mounted: one connection for all that ask the same. */
export function useSessions({ limit, status, activity }: SessionListQuery = {}): SessionListState {
  const client = useClient();
  const [list, setList] = useState<SessionListStore>();
  useEffect(() => {
    const lease = holdSessionList(client, {
      ...defined({ limit, status, activity }),
    });
    setList(lease.list);
    return () => lease.release();
  }, [client, limit, status, activity]);
  const source = useMemo(
    () => ({
      subscribe: (listener: () => void) => list?.subscribe(listener) ?? nothingToStop,
      getView: () => list?.getState() ?? emptyList,
    }),
    [list],
  );
  const view = useSyncExternalStore(source.subscribe, source.getView, () => emptyList);
  return useMemo(
    () => ({
      ...view,
      loadMore: async () => list?.loadMore(),
      refresh: () => list?.refresh(),
    }),
    [view, list],
  );
}

function nothingToStop(): void {}
