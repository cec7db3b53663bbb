import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from "react";

/** The focused part of a row: its link, or the button of its menu. */
interface FocusedRow {
  readonly sessionId: string;
  readonly part: "a" | "button";
  /** The row's place among all rows. */
  readonly place: number;
}

/**
 * Gives the focus back to a row that lost it by being put into another group; where the row is gone, to the row
 * that stands in its place. The list has to render for each change of its rows.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>) {
  const focused = useRef<FocusedRow>(undefined);
  useLayoutEffect(() => {
    if (!focused.current || !list.current || document.activeElement !== document.body) return;
    const { sessionId, part, place } = focused.current;
    const rows = rowsIn(list.current);
    const row = rows.find(({ dataset }) => dataset["session"] === sessionId);
    const target = row ?? rows[Math.min(place, rows.length - 1)];
    focused.current = undefined;
    target?.querySelector<HTMLElement>(row ? part : "a")?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target, currentTarget }: FocusEvent<HTMLElement>): void => {
      const row = target.closest("li");
      const sessionId = row?.dataset["session"];
      const part = target.matches("a") ? "a" : "button";
      focused.current =
        row && sessionId !== undefined
          ? { sessionId, part, place: rowsIn(currentTarget).indexOf(row) }
          : undefined;
    },
    // Not called for an element that React removes: what had the focus then is still known.
    onBlur: (): void => {
      focused.current = undefined;
    },
  };
}

function rowsIn(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll("li")];
}
