import { useId, useRef, useState, type KeyboardEvent } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import style from "./menu.module.css";
import { placeBeside } from "./placement.ts";

export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly isDanger?: boolean;
  /** For choices: whether this is the current one. */
  readonly isChecked?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly icon?: IconName;
  readonly className?: string | undefined;
}

/** A button that opens a list of actions above the page; it closes by itself. */
export function Menu({ label, items, icon = "more", className }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
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
          placeBeside(list.current, button.current.getBoundingClientRect());
          focusItem(list.current, 0);
        }}
        onKeyDown={(event) => moveFocus(event, list.current)}
      >
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role={item.isChecked === undefined ? "menuitem" : "menuitemradio"}
            aria-checked={item.isChecked}
            tabIndex={-1}
            className={item.isDanger ? `${style.item} ${style.danger}` : style.item}
            onClick={() => {
              list.current?.hidePopover();
              item.onSelect();
            }}
          >
            <Icon name={item.icon} size={16} />
            <span className={style.text}>{item.label}</span>
            {item.isChecked && <Icon name="check" size={14} />}
          </button>
        ))}
      </div>
    </>
  );
}

function itemsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>("[role^='menuitem']")];
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
