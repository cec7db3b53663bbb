import { detach } from "@turnwire/base";
import type { DirectoryList } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useEffect, useState } from "react";
import { plainError } from "../../element/plain-error.ts";

interface Directories {
  /** The previous ones stay until the server has answered. */
  readonly list: DirectoryList | undefined;
  readonly problem: string | undefined;
  readonly isLoading: boolean;
}

interface FoundDirectories {
  /** The request as the agent made it. */
  readonly path: string | undefined;
  readonly list?: DirectoryList;
  readonly problem?: string;
}

/** The folders in a directory of the server's machine, while they are wanted. */
export function useDirectories(isWanted: boolean, path: string | undefined): Directories {
  const client = useClient();
  const [found, setFound] = useState<FoundDirectories>();
  useEffect(() => {
    if (!isWanted) return;
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const list = await client.directories(path, { signal: abort.signal });
      if (!abort.signal.aborted) setFound({ path, list });
    };
    detach(load(), (error) => {
      if (!abort.signal.aborted) setFound({ path, problem: plainError(error) });
    });
    return () => abort.abort();
  }, [client, isWanted, path]);
  const isLoading = isWanted && (found === undefined || found.path !== path);
  return {
    list: found?.list,
    problem: isLoading ? undefined : found?.problem,
    isLoading,
  };
}
