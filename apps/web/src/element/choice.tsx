import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";
import style from "./choice.module.css";
import { choiceKey, typedChoice } from "./choice-key.ts";
import { useOpenHold } from "./open-hold.ts";
import { placeAtStart } from "./placement.ts";

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  /** One line that helps to choose. */
  readonly description?: string | undefined;
  /** Figures at the end of the line. */
  readonly facts?: string | undefined;
  /** The choice deserves care. */
  readonly isRisky?: boolean;
}

interface ChoiceProps {
  /** What is chosen here, for screen readers and as a tooltip. */
  readonly label: string;
  readonly value: string;
  readonly options: readonly ChoiceOption[];
  readonly onChange: (value: string) => void;
  readonly icon?: IconName;
  /** Shown on the button instead of the option's label. */
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

/** A compact select whose options have descriptions: arrows, letters, Enter and Escape work as in a native one. */
export function Choice(props: ChoiceProps) {
  const { label, value, options, onChange, icon, children, className } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: "", at: 0 });
  /** A press on the button of an open list closes it before the click arrives. */
  const wasOpen = useRef(false);
  const [isOpen, setOpen] = useState(false);
  useOpenHold(isOpen);
  /** By value: the options may change while the list is open. */
  const [pointed, setPointed] = useState(value);
  const placeOf = (wanted: string): number =>
    options.findIndex((option) => option.value === wanted);
  const current = options[placeOf(value)];
  const place = Math.max(0, placeOf(pointed));
  const pointAt = (next: number): void => setPointed(options[next]?.value ?? value);
  const open = (): void => {
    setPointed(value);
    if (!list.current || !button.current) return;
    list.current.showPopover();
    placeAtStart(list.current, button.current.getBoundingClientRect());
  };
  const take = (option: ChoiceOption | undefined): void => {
    list.current?.hidePopover();
    if (option && option.value !== value) onChange(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = choiceKey(event, { isOpen, place, count: options.length });
    if (action.type === "none") return;
    if (action.type === "type") {
      typed.current = typedChoice(typed.current, event.key, event.timeStamp);
      const text = typed.current.text;
      const found = options.findIndex((option) => option.label.toLowerCase().startsWith(text));
      if (!isOpen) open();
      if (found >= 0) pointAt(found);
    } else if (action.type === "open") open();
    else if (action.type === "move") pointAt(action.place);
    else if (action.type === "take") take(options[place]);
    else list.current?.hidePopover();
    if (action.type !== "leave") event.preventDefault();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-activedescendant={isOpen ? `${id}-${place}` : undefined}
        title={label}
        className={["inline-row quiet gap-1 shrink small", style.button, className]
          .filter(Boolean)
          .join(" ")}
        data-risky={current?.isRisky}
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={() => {
          if (!wasOpen.current) open();
          wasOpen.current = false;
        }}
        onKeyDown={onKeyDown}
        onBlur={() => list.current?.hidePopover()}
      >
        {icon && <Icon name={icon} size={14} />}
        <span className="shrink cut">{children ?? current?.label ?? value}</span>
        <Icon name="chevron_down" size={12} />
      </button>
      <ul
        ref={list}
        id={id}
        popover="auto"
        role="listbox"
        aria-label={label}
        className={`overlay ${style.list}`}
        // At once, not when the browser reports it afterwards: the next key has to find it open.
        onBeforeToggle={({ newState }) => setOpen(newState === "open")}
      >
        {options.map((option, index) => (
          <li
            key={option.value}
            id={`${id}-${index}`}
            ref={(item) => {
              if (isOpen && index === place) item?.scrollIntoView({ block: "nearest" });
            }}
            role="option"
            aria-selected={option.value === value}
            data-active={index === place}
            data-risky={option.isRisky}
            className={`gap-2 small ${style.option}`}
            onMouseMove={() => pointAt(index)}
            // Keeps the focus on the button.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(option)}
          >
            <span className={style.check}>
              {option.value === value && <Icon name="check" size={14} />}
            </span>
            <span className={`stack grow shrink ${style.text}`}>
              <span className={`line wrap spread breaks medium ${style.label}`}>
                {option.label}
                {option.facts !== undefined && <small>{option.facts}</small>}
              </span>
              {option.description !== undefined && (
                <span className="pretty tiny soft">{option.description}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
