import { detach } from "@turnwire/base";
import type { RuntimeInfo } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { showError } from "../../element/toast.ts";

/** The runtimes of the server; empty until they are loaded. */
export function useRuntimes(): readonly RuntimeInfo[] {
  const client = useClient();
  const [runtimes, setRuntimes] = useState<readonly RuntimeInfo[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      setRuntimes((await client.runtimes({ signal: abort.signal })).runtimes);
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) showError(error);
    });
    return () => abort.abort();
  }, [client]);
  return runtimes;
}
