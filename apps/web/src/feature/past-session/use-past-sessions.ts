import { detach } from "@turnwire/base";
import type { PastSession } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { navigate } from "../navigation/navigation.ts";
import { showError } from "../../element/toast.ts";

interface PastSessions {
  /** Undefined until they are loaded. */
  readonly sessions: readonly PastSession[] | undefined;
  /** The one that is being imported, by its provider's id. */
  readonly importing: string | undefined;
  readonly take: (past: PastSession) => void;
}

/** Sessions made by agents' own programs on the server's machine, and how to import one. */
export function usePastSessions(): PastSessions {
  const client = useClient();
  const [sessions, setSessions] = useState<readonly PastSession[]>();
  const [importing, setImporting] = useState<string>();
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      setSessions((await client.history({ signal: abort.signal })).sessions);
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) showError(error);
    });
    return () => abort.abort();
  }, [client]);
  const importSession = async (past: PastSession): Promise<void> => {
    setImporting(past.provider_session_id);
    try {
      const { session_id } = await client.importSession(past);
      navigate({ type: "session", sessionId: session_id });
    } finally {
      setImporting(undefined);
    }
  };
  return { sessions, importing, take: (past) => detach(importSession(past), showError) };
}
