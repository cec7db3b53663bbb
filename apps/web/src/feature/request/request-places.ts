import { createStore } from "@turnwire/base";
import type { RequestProgress } from "@turnwire/client";
import type { MessageField } from "../composer/message-field.ts";

/** How much of a card must be in sight to count as seen: a third, or this many pixels of a tall one. */
const SEEN_SHARE = 0.35;
const SEEN_HEIGHT = 160;

/** How long after it came a card may take the focus: time for the list to scroll to its end. */
const FRESH_MS = 2_000;

/** Room around a card that was scrolled to. */
const MARGIN = 16;

/** The list that holds the cards; rows out of sight do not exist in it. */
export interface CardList {
  readonly element: HTMLElement;
  /** Scrolls to the row of a request whose card is not there yet. */
  readonly goToRow: (id: string) => void;
  /** Scrolls to a place away from the end. */
  readonly leaveFor: (top: number) => void;
}

interface RequestPlacesOptions {
  readonly field: MessageField;
  /** Requests whose card was there before: only a new one may take the focus. */
  readonly met: Set<string>;
}

/** Where the cards of a conversation's open requests are, and the ways to get to them. */
export class RequestPlaces {
  /** The open requests whose cards are in sight. */
  readonly seen = createStore<ReadonlySet<string>>(new Set());
  readonly #field: MessageField;
  readonly #met: Set<string>;
  readonly #cards = new Map<string, HTMLElement>();
  readonly #open = new Set<string>();
  readonly #answeredHere = new Set<string>();
  #list: CardList | undefined;
  /** The card that gets the focus as soon as the list shows it. */
  #wanted: string | undefined;

  constructor({ field, met }: RequestPlacesOptions) {
    this.#field = field;
    this.#met = met;
  }

  setList(list: CardList | undefined): void {
    this.#list = list;
  }

  /** Watches an open request's card, and gives it the focus when it is new and the person is not busy elsewhere. */
  add(id: string, card: HTMLElement): () => void {
    const addedAt = performance.now();
    let isFirst = true;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        this.#setSeen(id, isSeen(entry));
        const isFresh = isFirst || entry.time - addedAt < FRESH_MS;
        isFirst = false;
        this.#meet(card, { id, isInSight: entry.isIntersecting, isFresh });
      },
      { threshold: [0, 0.1, 0.2, SEEN_SHARE] },
    );
    this.#cards.set(id, card);
    observer.observe(card);
    return () => {
      observer.disconnect();
      if (this.#cards.get(id) === card) this.#cards.delete(id);
      this.#setSeen(id, false);
    };
  }

  /** How far a request had come while this page showed it. */
  note(id: string, status: RequestProgress["status"]): void {
    if (status === "requested") this.#open.add(id);
    if (status === "responding") this.#answeredHere.add(id);
  }

  /** True for a request that was open on this page and answered from another. */
  isAnsweredElsewhere(id: string): boolean {
    return this.#open.has(id) && !this.#answeredHere.has(id);
  }

  /** Nothing is kept of a request that has ended. */
  forget(id: string): void {
    this.#met.delete(id);
  }

  /** Scrolls to a request's card and gives it the focus; a list that does not hold it yet goes to its row first. */
  show(id: string): void {
    const card = this.#cards.get(id);
    if (card) this.#goTo(card);
    else {
      this.#wanted = id;
      this.#list?.goToRow(id);
    }
  }

  /** After an answer: to the next open card, else back to the message field. */
  showNext(): void {
    const [next] = this.#inOrder();
    if (next) this.#focus(next[1]);
    else this.#field.focus();
  }

  /** A card that comes into a list while the person reads elsewhere moves nothing: only the bar mentions it. */
  #meet(card: HTMLElement, { id, isInSight, isFresh }: Meeting): void {
    if (this.#wanted === id) this.#goTo(card);
    if (this.#met.has(id) || (isFresh && !isInSight)) return;
    const mayFocus = isFresh && this.#isPersonFree();
    const oldest = this.#inOrder().find(([other]) => !this.#met.has(other))?.[1] ?? card;
    this.#met.add(id);
    if (mayFocus) this.#goTo(oldest);
  }

  #goTo(card: HTMLElement): void {
    if (this.#list) scrollTo(card, this.#list);
    this.#focus(card);
  }

  #focus(card: HTMLElement): void {
    this.#wanted = undefined;
    card.focus({ preventScroll: true });
  }

  #inOrder(): [string, HTMLElement][] {
    return [...this.#cards].toSorted(([, left], [, right]) =>
      left.compareDocumentPosition(right) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
  }

  #setSeen(id: string, isSeenNow: boolean): void {
    const seen = this.seen.get();
    if (seen.has(id) === isSeenNow) return;
    const others = [...seen].filter((other) => other !== id);
    this.seen.set(new Set(isSeenNow ? [...others, id] : others));
  }

  /** True where nothing has the focus, or the field in which the person has not begun to write. */
  #isPersonFree(): boolean {
    const { activeElement } = document;
    return !activeElement || activeElement === document.body || this.#field.isWaiting();
  }
}

interface Meeting {
  readonly id: string;
  readonly isInSight: boolean;
  /** The list may still be on its way to its end. */
  readonly isFresh: boolean;
}

function isSeen({ intersectionRatio, intersectionRect }: IntersectionObserverEntry): boolean {
  return intersectionRatio >= SEEN_SHARE || intersectionRect.height >= SEEN_HEIGHT;
}

/** Moves the list only: `scrollIntoView` would move the whole page with it. */
function scrollTo(card: HTMLElement, { element, leaveFor }: CardList): void {
  const [inner, outer] = [card.getBoundingClientRect(), element.getBoundingClientRect()];
  const above = inner.top - MARGIN - outer.top;
  const below = inner.bottom + MARGIN - outer.bottom;
  if (above < 0 || inner.height + 2 * MARGIN > outer.height) {
    leaveFor(element.scrollTop + above);
  } else if (below > 0) element.scrollTop += below;
}
