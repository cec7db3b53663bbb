import { detach } from "@turnwire/base";
import type { RuntimeInfo } from "@turnwire/protocol";
import { useClient } from "@turnwire/react";
import { useCallback, useEffect, useRef, useState } from "react";
import { plainError } from "../../element/plain-error.ts";

/** How soon to ask again for models that the server is still finding out. */
const PROBE_MS = 1_500;

export interface Runtimes {
  /** Agents first, scripted ones last. */
  readonly list: readonly RuntimeInfo[];
  /** False until the server has answered once. */
  readonly isLoaded: boolean;
  readonly isChecking: boolean;
  /** Counts the checks that a person asked for and that have been answered. */
  readonly checks: number;
  /** Why the server could not be asked. */
  readonly problem: string | undefined;
  readonly checkAgain: () => void;
}

/** The runtimes of the server: whether each is connected, and what it offers. */
export function useRuntimes(): Runtimes {
  const client = useClient();
  const [list, setList] = useState<readonly RuntimeInfo[]>();
  const [problem, setProblem] = useState<string>();
  const [isChecking, setChecking] = useState(false);
  const [checks, setChecks] = useState(0);
  const newest = useRef(0);
  const load = useCallback(
    async (refresh: boolean): Promise<void> => {
      newest.current += 1;
      const mine = newest.current;
      const { runtimes } = await client.runtimes({ refresh });
      if (mine !== newest.current) return;
      setList(agentsFirst(runtimes));
      setProblem(undefined);
    },
    [client],
  );
  const reload = useCallback(() => {
    detach(load(false), (error) => setProblem(plainError(error)));
  }, [load]);
  useEffect(reload, [reload]);
  useEffect(() => {
    // Who comes back from a terminal may have logged in there.
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, [reload]);
  useEffect(() => {
    if (!list?.some(({ is_probing }) => is_probing)) return;
    const timer = setTimeout(reload, PROBE_MS);
    return () => clearTimeout(timer);
  }, [list, reload]);
  const check = async (): Promise<void> => {
    setChecking(true);
    try {
      await load(true);
      setChecks((before) => before + 1);
    } finally {
      setChecking(false);
    }
  };
  return {
    list: list ?? [],
    isLoaded: list !== undefined,
    isChecking,
    checks,
    problem,
    checkAgain: () => detach(check(), (error) => setProblem(plainError(error))),
  };
}

function agentsFirst(runtimes: readonly RuntimeInfo[]): readonly RuntimeInfo[] {
  const isScripted = ({ connection }: RuntimeInfo): boolean => connection.status === "scripted";
  return [...runtimes.filter((runtime) => !isScripted(runtime)), ...runtimes.filter(isScripted)];
}
