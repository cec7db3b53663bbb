import { useEffect, useRef } from "react";
import style from "./completion-list.module.css";
import type { Completion } from "./use-completion.ts";

interface CompletionListProps {
  readonly id: string;
  readonly completion: Completion;
}

/** ARIA attributes of the field that owns the list: the focus stays in the field. */
export function completionProps(id: string, { offers, chosen }: Completion) {
  return {
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    ...(offers.length > 0 && {
      "aria-controls": id,
      "aria-activedescendant": offerId(id, chosen),
    }),
  } as const;
}

function offerId(id: string, place: number): string {
  return `${id}-${place}`;
}

/** What the word at the caret could become; the focus stays in the field. */
export function CompletionList({ id, completion }: CompletionListProps) {
  const { type, offers, chosen, take } = completion;
  const option = useRef<HTMLLIElement>(null);
  useEffect(() => {
    option.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  if (offers.length === 0) return null;
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={type === "command" ? "Commands" : "Files"}
      className={`overlay ${style.list}`}
      data-type={type}
    >
      {offers.map((offer, place) => (
        <li
          key={offer.value}
          ref={place === chosen ? option : undefined}
          id={offerId(id, place)}
          role="option"
          aria-selected={place === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            take(offer);
          }}
        >
          <span className={`rigid cut mono ${style.value}`}>
            {type === "command" ? "/" : ""}
            {offer.value}
          </span>
          {offer.description !== undefined && (
            <span className="shrink cut faint">{offer.description}</span>
          )}
        </li>
      ))}
    </ul>
  );
}
