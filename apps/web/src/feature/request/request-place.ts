import { useEffect, useSyncExternalStore, type RefObject } from "react";
import { activePane, paneOf } from "../page/pane.ts";
import { focusMessageField, messageFieldBeside } from "../composer/message-field.ts";

/** So much of a card must be in sight to count as seen: a third, or so many pixels of a high one. */
const SEEN_SHARE = 0.35;
const SEEN_HEIGHT = 160;

/** So long a card that came may take the focus: time for the list to go to its end. */
const FRESH_MS = 2_000;

/** Room around a card that was brought into sight. */
const MARGIN = 16;

let seen: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** The card that shall have the focus as soon as the list shows it. */
let wanted: string | undefined;

/** What brings the row of a request into each list, where rows out of sight do not exist. */
const rowFinders = new WeakMap<Element, (id: string) => void>();

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
    const cameAt = performance.now();
    let isFirst = true;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return;
        setSeen(id, isSeen(entry));
        const isFresh = isFirst || entry.time - cameAt < FRESH_MS;
        isFirst = false;
        meet(element, { id, isInSight: entry.isIntersecting, isFresh });
      },
      { threshold: [0, 0.1, 0.2, SEEN_SHARE] },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      setSeen(id, false);
    };
  }, [card, id, isOpen]);
}

interface Meeting {
  readonly id: string;
  readonly isInSight: boolean;
  /** The list may still be on its way to its end. */
  readonly isFresh: boolean;
}

/** A card that comes into a list that a person reads elsewhere moves nothing: only the bar tells of it. */
function meet(card: HTMLElement, { id, isInSight, isFresh }: Meeting): void {
  if (wanted === id) {
    bringIntoSight(card);
    focusCard(card);
  }
  if (met.has(id) || (isFresh && !isInSight)) return;
  const isCalled = isFresh && isNobodyBusy(card);
  const oldest = openCards(paneOf(card)).find(isUnmet) ?? card;
  met.add(id);
  if (!isCalled) return;
  bringIntoSight(oldest);
  focusCard(oldest);
}

function isUnmet(card: HTMLElement): boolean {
  return !met.has(card.dataset["request"] ?? "");
}

/** Lets a list go to a request whose card is not there yet. */
export function useRequestRows(
  list: RefObject<HTMLElement | null>,
  goToRow: (id: string) => void,
): void {
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    rowFinders.set(element, goToRow);
    return () => {
      rowFinders.delete(element);
    };
  });
}

/** Brings a request's card into sight and gives it the focus; a list that does not hold it yet goes to its row first. */
export function showRequest(id: string): void {
  const card = openCards(activePane()).find((element) => element.dataset["request"] === id);
  if (card) {
    bringIntoSight(card);
    focusCard(card);
    return;
  }
  wanted = id;
  const log = activePane().querySelector("[role=log]");
  if (log) rowFinders.get(log)?.(id);
}

/** After an answer: to the next card that waits, else back to where one writes. */
export function goToNextRequest(from: Element): void {
  const [next] = openCards(paneOf(from));
  if (next) focusCard(next);
  else focusMessageField(from);
}

function focusCard(card: HTMLElement): void {
  wanted = undefined;
  card.focus({ preventScroll: true });
}

function isSeen({ intersectionRatio, intersectionRect }: IntersectionObserverEntry): boolean {
  return intersectionRatio >= SEEN_SHARE || intersectionRect.height >= SEEN_HEIGHT;
}

/** Moves the list only: `scrollIntoView` would move the whole page with it. */
function bringIntoSight(card: HTMLElement): void {
  const list = card.closest("[role=log]");
  if (!list) return;
  const [inner, outer] = [card.getBoundingClientRect(), list.getBoundingClientRect()];
  const above = inner.top - MARGIN - outer.top;
  const below = inner.bottom + MARGIN - outer.bottom;
  if (above < 0 || inner.height + 2 * MARGIN > outer.height) list.scrollTop += above;
  else if (below > 0) list.scrollTop += below;
}

function openCards(pane: Element): HTMLElement[] {
  return [...pane.querySelectorAll<HTMLElement>('[data-request][data-open="true"]')];
}

/** True where the focus is nowhere, or where one could write but has not begun. */
function isNobodyBusy(card: Element): boolean {
  const { activeElement } = document;
  const field = messageFieldBeside(card);
  return (
    !activeElement ||
    activeElement === document.body ||
    (activeElement === field && field.value === "")
  );
}
