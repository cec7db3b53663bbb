import { useCallback, useState } from "react";

type ResizedPlace = "sidebar" | "canvas";

const usual: Readonly<Record<ResizedPlace, number>> = { sidebar: 352, canvas: 560 };

export const MIN_WIDTH = 256;
export const MAX_WIDTH = 1200;

function keyOf(place: ResizedPlace): string {
  return `turnwire.width.${place}`;
}

function keptWidth(place: ResizedPlace): number {
  const kept = Number(localStorage.getItem(keyOf(place)) ?? Number.NaN);
  return kept >= MIN_WIDTH && kept <= MAX_WIDTH ? kept : usual[place];
}

/** The width of a place that the person chose; kept for the next visit. */
export function usePlaceWidth(place: ResizedPlace): readonly [number, (width: number) => void] {
  const [widths, setWidths] = useState<Partial<Record<ResizedPlace, number>>>({});
  const width = widths[place] ?? keptWidth(place);
  const setWidth = useCallback(
    (wanted: number) => {
      const next = Math.round(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wanted)));
      localStorage.setItem(keyOf(place), String(next));
      setWidths((before) => ({ ...before, [place]: next }));
    },
    [place],
  );
  return [width, setWidth];
}
