import { useRef } from "react";
import style from "./resize-handle.module.css";

interface ResizeHandleProps {
  readonly label: string;
  readonly width: number;
  readonly min: number;
  readonly max: number;
  /** On which side of the resized part the handle is. */
  readonly edge: "start" | "end";
  readonly onChange: (width: number) => void;
}

const STEP = 24;

/** The edge that makes a part of the window wider or narrower, by pointer or by arrow keys. */
export function ResizeHandle({ label, width, min, max, edge, onChange }: ResizeHandleProps) {
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined);
  /** How much wider it becomes by a movement to the right. */
  const growth = (handle: Element, byPixels: number): number => {
    const isLeft = (edge === "start") === (getComputedStyle(handle).direction === "ltr");
    return isLeft ? -byPixels : byPixels;
  };
  return (
    <div
      className={style.handle}
      data-edge={edge}
      role="separator"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (!start.current) return;
        const { x, width: from } = start.current;
        onChange(from + growth(event.currentTarget, event.clientX - x));
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onChange(width + growth(event.currentTarget, -STEP));
        else if (event.key === "ArrowRight") onChange(width + growth(event.currentTarget, STEP));
        else if (event.key === "Home") onChange(min);
        else if (event.key === "End") onChange(max);
        else return;
        event.preventDefault();
      }}
    />
  );
}
