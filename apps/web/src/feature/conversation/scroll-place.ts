/** How near the end still counts as being there. */
const NEAR = 48;

/** Where a scrolled element is, in pixels. */
export interface Place {
  readonly top: number;
  readonly height: number;
  readonly clientHeight: number;
  /** What is below the lower edge. */
  readonly rest: number;
}

interface ScrollCause {
  /** The content was changed since the place before was taken. */
  readonly hasChanged: boolean;
  /** A person is scrolling: with a wheel, a finger, a key or the scrollbar. */
  readonly isByHand: boolean;
}

export function placeOf({
  scrollTop: top,
  scrollHeight: height,
  clientHeight,
}: Pick<HTMLElement, "scrollTop" | "scrollHeight" | "clientHeight">): Place {
  return { top, height, clientHeight, rest: height - top - clientHeight };
}

export function isNearEnd({ rest }: Place): boolean {
  return rest < NEAR;
}

/**
 * Whether a scroll leaves the end. A layout moves the position up, too: what shrinks is cut off at the
 * end, and browsers correct for rows above that turned out shorter. That can be followed by growth before the
 * scroll event comes, so the height alone does not tell; while the content changes, only a person's hand does.
 */
export function isLeaving(
  before: Place,
  now: Place,
  { hasChanged, isByHand }: ScrollCause,
): boolean {
  if (isByHand) return now.top < before.top && now.rest >= 1;
  const isLayout =
    hasChanged || now.height !== before.height || now.clientHeight !== before.clientHeight;
  return now.top < before.top - 1 && !isLayout;
}

/** Whether a scroll comes back to the end. */
export function isReturning(before: Place, now: Place): boolean {
  return isNearEnd(now) && now.top >= before.top;
}
