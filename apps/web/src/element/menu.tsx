import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import style from "./menu.module.css";
import { useOpenHold } from "./open-hold.ts";
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
  /** Called before it opens and after it has closed, when the focus is back; not when it is removed from the page. */
  readonly onOpenChange?: (isOpen: boolean) => void;
}

/**
 * A button that opens a list of actions above the page; it closes by itself. Moving it within the page would close it
 * as well: whoever has it in something that moves waits until it is closed.
 */
export function Menu({ label, items, icon = "more", className, onOpenChange }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useOpenHold(isOpen);
  /** The focused item's place: when the item goes, the one that takes its place gets the focus. */
  const place = useRef(0);
  useLayoutEffect(() => {
    if (!isOpen || !list.current || document.activeElement !== document.body) return;
    focusItem(list.current, Math.min(place.current, itemsOf(list.current).length - 1));
  });
  const report = (isOpening: boolean): void => {
    setOpen(isOpening);
    onOpenChange?.(isOpening);
  };
  /** At once, not when the browser reports it: the next key has to find the focus in the list. */
  const toggle = (): void => {
    if (!button.current || !list.current) return;
    list.current.togglePopover();
    if (!list.current.matches(":popover-open")) return;
    placeBeside(list.current, button.current.getBoundingClientRect());
    focusItem(list.current, 0);
  };
  return (
    <>
      <IconButton
        ref={button}
        icon={icon}
        label={label}
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        // So that a press on the button is none outside the list, which would close it before the click.
        popoverTarget={id}
        onClick={(event) => {
          event.preventDefault();
          toggle();
        }}
      />
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={`overlay ${style.menu}`}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") report(true);
        }}
        onToggle={({ newState }) => {
          if (newState === "closed") report(false);
        }}
        onFocus={({ target, currentTarget }) => {
          place.current = itemsOf(currentTarget).indexOf(target);
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
            <span className="grow">{item.label}</span>
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
