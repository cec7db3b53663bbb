import { useState, type ReactNode } from "react";
import style from "./clip.module.css";
import { counted } from "../../element/figure.ts";

interface ClipOptions {
  /** How many lines there are, which may be those of a preview. */
  readonly total: number;
  /** How many are shown at first. */
  readonly shown: number;
  /** Where lines are left out. */
  readonly side: "start" | "end";
}

interface Clip {
  /** The lines to show are those from `first` up to `end`. */
  readonly first: number;
  readonly end: number;
  /** A button that shows more, if there is more. */
  readonly more: ReactNode;
}

/** A few more lines than that are shown at once: a button would take as much room. */
const SLACK = 5;
/** At most so many more at a time. */
const STEP = 2_000;

/** Shows some of many lines, and more on demand. */
export function useClip({ total, shown, side }: ClipOptions): Clip {
  const [asked, setAsked] = useState(0);
  const room = asked > 0 ? asked : shown + SLACK;
  const count = total <= room ? total : Math.max(asked, shown);
  const hidden = total - count;
  const next = Math.min(hidden, STEP);
  const more = hidden > 0 && (
    <button
      type="button"
      className={`tiny faint ${style.more}`}
      aria-expanded={false}
      onClick={() => setAsked(count + next)}
    >
      Show {counted(next, "more line")}
    </button>
  );
  return side === "start" ? { first: hidden, end: total, more } : { first: 0, end: count, more };
}
