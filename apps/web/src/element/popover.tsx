import { useId, useRef, useState, type ReactNode } from "react";
import { useOpenHold } from "./open-hold.ts";
import { placeBeside } from "./placement.ts";
import style from "./popover.module.css";

interface PopoverProps {
  readonly label: string;
  readonly children: ReactNode;
  readonly onOpen?: () => void;
}

/** A small button that opens a card with details; it closes by itself. */
export function Popover({ label, children, onOpen }: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const card = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useOpenHold(isOpen);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`quiet rigid tiny ${style.button}`}
        // So that a press on the button is none outside the card, which would close it before the click.
        popoverTarget={id}
        aria-expanded={isOpen}
        onClick={(event) => {
          event.preventDefault();
          card.current?.togglePopover();
          if (!button.current || !card.current?.matches(":popover-open")) return;
          placeBeside(card.current, button.current.getBoundingClientRect());
        }}
      >
        {label}
      </button>
      <div
        ref={card}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        // Takes the focus of a button in it that goes.
        tabIndex={-1}
        className={`overlay small ${style.card}`}
        onBeforeToggle={({ newState }) => {
          setOpen(newState === "open");
          if (newState === "open") onOpen?.();
        }}
      >
        {children}
      </div>
    </>
  );
}
