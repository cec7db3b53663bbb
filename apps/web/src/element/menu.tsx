import { useId, useRef, useState, type KeyboardEvent } from "react";
import { Icon, type IconName } from "../icon/icon.tsx";
import { IconButton } from "./icon-button.tsx";
import style from "./menu.module.css";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly className?: string | undefined;
}

const GAP = 4;

/** A button with a list of things to do; it lies above everything and closes by itself. */
export function Menu({ label, items, className }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        ref={button}
        icon="more"
        label={label}
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={style.menu}
        onToggle={(event) => {
          const isOpening = event.newState === "open";
          setOpen(isOpening);
          if (!isOpening || !button.current || !list.current) return;
          place(list.current, button.current.getBoundingClientRect());
          focusItem(list.current, 0);
        }}
        onKeyDown={(event) => moveFocus(event, list.current)}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={item.isDanger ? `${style.item} ${style.danger}` : style.item}
            onClick={() => {
              list.current?.hidePopover();
              item.onSelect();
            }}
          >
            <Icon name={item.icon} size={16} />
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** Below the button where there is room, else above; never outside the window. */
function place(list: HTMLElement, anchor: DOMRect): void {
  const { width, height } = list.getBoundingClientRect();
  const below = anchor.bottom + GAP;
  const top = below + height < innerHeight ? below : anchor.top - GAP - height;
  list.style.top = `${Math.max(GAP, top)}px`;
  list.style.left = `${Math.max(GAP, Math.min(anchor.right - width, innerWidth - width - GAP))}px`;
}

function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[role=menuitem]")];
}

function focusItem(list: HTMLElement, index: number): void {
  const items = itemsOf(list);
  items[(index + items.length) % items.length]?.focus();
}

function moveFocus(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!list) return;
  const current = itemsOf(list).findIndex((item) => item === document.activeElement);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowUp: current - 1,
    Home: 0,
    End: -1,
  };
  const index = steps[event.key];
  if (index === undefined) return;
  event.preventDefault();
  focusItem(list, index);
}
