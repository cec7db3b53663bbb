import { useCallback, useMemo, useState, type ReactNode } from "react";
import { OpenHoldContext } from "../../element/open-hold.ts";
import type { Row } from "./outline.ts";

interface HeldRows {
  /** The places of the rows in which something is open. */
  readonly indexes: readonly number[];
  /** Keeps a row mounted, by its key, until the returned function is called. */
  readonly hold: (key: string) => () => void;
}

/** The rows that have to stay mounted, however far away they are. */
export function useHeldRows(rows: readonly Row[]): HeldRows {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const hold = useCallback((key: string) => {
    setKeys((before) => [...before, key]);
    return () => setKeys((before) => before.toSpliced(before.indexOf(key), 1));
  }, []);
  const indexes = useMemo(
    () =>
      [...new Set(keys)]
        .map((key) => rows.findIndex((row) => row.key === key))
        .filter((index) => index >= 0),
    [keys, rows],
  );
  return { indexes, hold };
}

interface HoldRowProps extends Pick<HeldRows, "hold"> {
  readonly rowKey: string;
  readonly children: ReactNode;
}

/** Lets what is opened in a row keep it mounted. */
export function HoldRow({ rowKey, hold, children }: HoldRowProps) {
  const value = useCallback(() => hold(rowKey), [hold, rowKey]);
  return <OpenHoldContext value={value}>{children}</OpenHoldContext>;
}
