import { useRef } from "react";
import { MAX_WIDTH, MIN_WIDTH } from "./panel-width.ts";
import style from "./resize-handle.module.css";

interface ResizeHandleProps {
  readonly width: number;
  readonly onChange: (width: number) => void;
}

const STEP = 24;

/** The edge that makes the panel wider or narrower, by pointer or by arrow keys. */
export function ResizeHandle({ width, onChange }: ResizeHandleProps) {
  const start = useRef<{ readonly x: number; readonly width: number }>(undefined);
  return (
    <div
      className={style.handle}
      role="separator"
      aria-label="Panel width"
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      tabIndex={0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (start.current) onChange(start.current.width + start.current.x - event.clientX);
      }}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") onChange(width + STEP);
        else if (event.key === "ArrowRight") onChange(width - STEP);
        else return;
        event.preventDefault();
      }}
    />
  );
}
