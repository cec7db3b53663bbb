import { detach } from "@turnwire/base";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { showError } from "../../element/toast.ts";

/** Directories that complete what is typed; the previous ones stay until the server has answered. */
export function useDirectoryCompletion(prefix: string, isWanted: boolean): readonly string[] {
  const client = useClient();
  const [directories, setDirectories] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const { paths } = await client.paths(
        { kind: "directory", prefix, limit: 20 },
        { signal: abort.signal },
      );
      setDirectories(paths.map(({ path }) => path));
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) showError(error);
    });
    return () => abort.abort();
  }, [client, prefix, isWanted]);
  return directories;
}
