import { useCallback, useState } from "react";

const KEY = "turnwire.sidebar";
export const MIN_WIDTH = 208;
export const MAX_WIDTH = 520;
const USUAL_WIDTH = 288;

/** How the sidebar is on a large screen. */
export interface SidebarShape {
  readonly width: number;
  readonly isHidden: boolean;
}

/** The stored shape; anything else in the storage is ignored. */
export function sidebarFrom(text: string | null): SidebarShape {
  try {
    const kept: unknown = JSON.parse(text ?? "null");
    if (typeof kept !== "object" || kept === null) return { width: USUAL_WIDTH, isHidden: false };
    const width = "width" in kept && typeof kept.width === "number" ? kept.width : USUAL_WIDTH;
    return { width: withinBounds(width), isHidden: "isHidden" in kept && kept.isHidden === true };
  } catch {
    return { width: USUAL_WIDTH, isHidden: false };
  }
}

function withinBounds(width: number): number {
  return Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)));
}

/** The shape that the person chose; kept for the next visit. */
export function useSidebarShape() {
  const [shape, setShape] = useState(() => sidebarFrom(localStorage.getItem(KEY)));
  const change = useCallback((next: Partial<SidebarShape>) => {
    setShape((before) => {
      const width = withinBounds(next.width ?? before.width);
      const shown = { ...before, ...next, width };
      localStorage.setItem(KEY, JSON.stringify(shown));
      return shown;
    });
  }, []);
  return [shape, change] as const;
}
