import { useEffect, useSyncExternalStore, type RefObject } from "react";
import { focusMessageField, messageField } from "../composer/message-field.ts";

/** So much of a card must be in sight to count as seen: a third, or so many pixels of a high one. */
const SEEN_SHARE = 0.35;
const SEEN_HEIGHT = 160;

let seen: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** The card that shall have the focus as soon as the list shows it. */
let wanted: string | undefined;

/** Requests whose card was there before: only a new one may take the focus. */
const met = new Set<string>();

function setSeen(id: string, isNowSeen: boolean): void {
  if (seen.has(id) === isNowSeen) return;
  const next = new Set(seen);
  if (isNowSeen) next.add(id);
  else next.delete(id);
  seen = next;
  for (const listener of listeners) listener();
}

/** The open requests whose cards are in sight. */
export function useSeenRequests(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => seen,
  );
}

/** Tells where an open request's card is, and gives it the focus when it is new and nobody is busy elsewhere. */
export function useRequestPlace(
  card: RefObject<HTMLElement | null>,
  { id, isOpen }: { readonly id: string; readonly isOpen: boolean },
): void {
  useEffect(() => {
    const element = card.current;
    if (!isOpen || !element) return;
    const isCalled = wanted === id || (!met.has(id) && isNobodyBusy());
    let isNew = isCalled;
    const observer = new IntersectionObserver(
      ([entry]) => {
        setSeen(id, entry !== undefined && isSeen(entry));
        // By now the list has gone to its end; a card that is higher than the list is read from its top.
        if (isNew) showTop(element);
        isNew = false;
      },
      { threshold: [0, 0.1, 0.2, SEEN_SHARE] },
    );
    observer.observe(element);
    if (isCalled) focusCard(element);
    met.add(id);
    return () => {
      observer.disconnect();
      setSeen(id, false);
    };
  }, [card, id, isOpen]);
}

/** Brings a request's card into sight and gives it the focus; a list that does not hold it yet goes to its end first. */
export function showRequest(id: string): void {
  const card = openCards().find((element) => element.dataset["request"] === id);
  if (card) {
    card.scrollIntoView({ block: "nearest" });
    focusCard(card);
    return;
  }
  wanted = id;
  const log = document.querySelector("[role=log]");
  log?.scrollTo({ top: log.scrollHeight });
}

/** After an answer: to the next card that waits, else back to where one writes. */
export function goToNextRequest(): void {
  const [next] = openCards();
  if (next) focusCard(next);
  else focusMessageField();
}

function focusCard(card: HTMLElement): void {
  wanted = undefined;
  card.focus({ preventScroll: card.getBoundingClientRect().top < innerHeight });
}

function isSeen({ intersectionRatio, intersectionRect }: IntersectionObserverEntry): boolean {
  return intersectionRatio >= SEEN_SHARE || intersectionRect.height >= SEEN_HEIGHT;
}

function showTop(card: HTMLElement): void {
  const list = card.closest("[role=log]");
  if (list && card.offsetHeight > list.clientHeight) card.scrollIntoView({ block: "start" });
}

function openCards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-request][data-open="true"]')];
}

/** True where the focus is nowhere, or where one could write but has not begun. */
function isNobodyBusy(): boolean {
  const { activeElement } = document;
  const field = messageField();
  return (
    !activeElement ||
    activeElement === document.body ||
    (activeElement === field && field.value === "")
  );
}
