import { createStore, detach } from "@turnwire/base";
import { ClientError } from "@turnwire/client";
import type { TrustInfo, TrustStatus } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useCallback, useEffect, useState } from "react";
import { plainError } from "../../element/plain-error.ts";
import { useStore } from "../../element/use-store.ts";
import { useProjects } from "../project/projects.tsx";

/** Grows whenever a person changed what is trusted: everyone who shows it asks again. */
const revision = createStore(0);

interface Trust {
  /** Undefined until it is known, and for who may not decide it. */
  readonly info: TrustInfo | undefined;
  readonly problem: string | undefined;
  readonly isBusy: boolean;
  /** Trusts what `info` shows; true if it is trusted now. */
  readonly accept: () => Promise<boolean>;
  /** Takes the trust back. */
  readonly withdraw: () => Promise<boolean>;
}

/** Whether a directory may configure the agents that work in it. */
export function useTrust(path: string | undefined, occasion?: TrustStatus): Trust {
  const client = useClient();
  const { refresh } = useProjects();
  const current = useStore(revision);
  const [info, setInfo] = useState<TrustInfo>();
  const [loadProblem, setLoadProblem] = useState<string>();
  /** Stays while the folder is looked at again. */
  const [decisionProblem, setDecisionProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [focused, setFocused] = useState(0);
  useEffect(() => {
    // Files may have changed in an editor meanwhile.
    const onFocus = (): void => setFocused((before) => before + 1);
    addEventListener("focus", onFocus);
    return () => removeEventListener("focus", onFocus);
  }, []);
  useEffect(() => {
    if (path === undefined) {
      setInfo(undefined);
      return;
    }
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      const found = await client.trust.get(path, { signal: abort.signal });
      if (abort.signal.aborted) return;
      setInfo(found);
      setLoadProblem(undefined);
    };
    detach(load(), (error) => {
      if (abort.signal.aborted) return;
      setInfo(undefined);
      setLoadProblem(plainError(error));
    });
    return () => abort.abort();
  }, [client, path, current, focused, occasion]);
  const perform = useCallback(
    async (change: () => Promise<unknown>): Promise<boolean> => {
      setBusy(true);
      try {
        await change();
        setDecisionProblem(undefined);
        refresh();
        return true;
      } catch (error) {
        const hasChanged = error instanceof ClientError && error.error?.code === "trust_changed";
        setDecisionProblem(
          hasChanged
            ? "These files changed while you looked at them. Look again before you trust them."
            : plainError(error),
        );
        return false;
      } finally {
        setBusy(false);
        revision.set(revision.get() + 1);
      }
    },
    [refresh],
  );
  return {
    info,
    problem: decisionProblem ?? loadProblem,
    isBusy,
    accept: async () =>
      info !== undefined && perform(() => client.trust.set(info.path, info.digest)),
    withdraw: async () =>
      info !== undefined && perform(() => client.trust.remove(info.trusted_path ?? info.path)),
  };
}
