import { useId, useRef, useState, type ReactNode } from "react";
import { placeBeside } from "./placement.ts";
import style from "./popover.module.css";

interface PopoverProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** A small button that opens a card with details; it closes by itself. */
export function Popover({ label, children }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={style.button}
        popoverTarget={id}
        aria-expanded={isOpen}
      >
        {label}
      </button>
      <div
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className={style.card}
        onToggle={(event) => {
          const isOpening = event.newState === "open";
          setOpen(isOpening);
          if (isOpening && button.current) {
            placeBeside(event.currentTarget, button.current.getBoundingClientRect());
          }
        }}
      >
        {children}
      </div>
    </>
  );
}
