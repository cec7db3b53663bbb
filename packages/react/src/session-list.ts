import type { SessionListStore, SessionListView, SessionQuery } from "@turnwire/client";
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { holdSessionList } from "./session-list-lease.ts";
import { useClient } from "./turnwire-provider.tsx";

export interface SessionListState extends SessionListView {
  /** Adds the next page of older sessions; harmless when there is none. */
  readonly loadMore: () => Promise<void>;
  /** Asks for the list anew, at once, also after a final failure. */
  readonly refresh: () => void;
}

const loading: SessionListView = { status: "loading", sessions: [], hasMore: false };

/** The principal's sessions, newest update first, followed while mounted: one connection for all that ask the same. */
export function useSessions({
  limit,
  status,
  activity,
}: Omit<SessionQuery, "after"> = {}): SessionListState {
  const client = useClient();
  const [list, setList] = useState<SessionListStore>();
  useEffect(() => {
    const lease = holdSessionList(client, {
      ...(limit !== undefined && { limit }),
      ...(status !== undefined && { status }),
      ...(activity !== undefined && { activity }),
    });
    setList(lease.list);
    return () => lease.release();
  }, [client, limit, status, activity]);
  const source = useMemo(
    () => ({
      subscribe: (listener: () => void) => list?.subscribe(listener) ?? nothingToStop,
      getView: () => list?.getState() ?? loading,
    }),
    [list],
  );
  const view = useSyncExternalStore(source.subscribe, source.getView, () => loading);
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
