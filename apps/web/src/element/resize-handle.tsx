import { useRef } from "react";
import style from "./resize-handle.module.css";

interface ResizeHandleProps {
  readonly label: string;
  readonly width: number;
  readonly min: number;
  readonly max: number;
  /** On which side of the resized part the handle is. */
  readonly edge: "left" | "right";
  readonly onChange: (width: number) => void;
}

const STEP = 24;

/** The edge that makes a part of the window wider or narrower, by pointer or by arrow keys. */
export function ResizeHandle({ label, width, min, max, edge, onChange }: ResizeHandleProps) {
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const sign = edge === "left" ? -1 : 1;
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
        onChange(start.current.width + sign * (event.clientX - start.current.x));
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onChange(width - sign * STEP);
        else if (event.key === "ArrowRight") onChange(width + sign * STEP);
        else if (event.key === "Home") onChange(min);
        else if (event.key === "End") onChange(max);
        else return;
        event.preventDefault();
      }}
    />
  );
}
