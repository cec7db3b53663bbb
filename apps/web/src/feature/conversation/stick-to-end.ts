import { useCallback, useEffect, useRef, useState, type RefObject } from "react";
import { type ByHand, watchScrollingByHand } from "./scrolling-by-hand.ts";
import { isLeaving, isNearEnd, isReturning, placeOf, type Place } from "./scroll-place.ts";

/** Over more than this many screens, smooth scrolling would take too long. */
const SMOOTH_SCREENS = 3;

export interface Stick {
  readonly isAtEnd: boolean;
  /** Scrolls to the end and follows it from then on. */
  readonly goToEnd: (behavior?: "smooth" | "instant") => void;
  /** Scrolls to a place away from the end, which must hold while rows there are measured. */
  readonly leaveFor: (top: number) => void;
}

/**
 * Keeps a scrolled element at its end while it grows. A person leaves the end by scrolling up, however
 * little, or by opening something there; coming near the end again resumes it.
 */
export function useStickToEnd(element: RefObject<HTMLElement | null>): Stick {
  const [isAtEnd, setAtEnd] = useState(true);
  const isSticking = useRef(true);
  const hand = useRef<ByHand>(undefined);
  useEffect(() => {
    const scroller = element.current;
    const content = scroller?.firstElementChild;
    if (!scroller || !content) return;
    let last: Place = placeOf(scroller);
    let hasChanged = false;
    const note = (): void => {
      last = placeOf(scroller);
      setAtEnd(isSticking.current || isNearEnd(last));
    };
    const settle = (): void => {
      if (isSticking.current) scroller.scrollTop = scroller.scrollHeight;
      else isSticking.current = isAtVeryEnd(scroller);
      note();
    };
    const byHand = watchScrollingByHand(scroller);
    hand.current = byHand;
    const onScroll = (): void => {
      const place = placeOf(scroller);
      const isByHand = byHand.isActive();
      if (isLeaving(last, place, { hasChanged, isByHand })) isSticking.current = false;
      else if (isReturning(last, place)) isSticking.current = true;
      // The layout moved the position, not the person.
      else if (isSticking.current && !isByHand && place.top < last.top) return settle();
      note();
    };
    const onClick = (event: Event): void => {
      const isOpening =
        event.target instanceof Element &&
        event.target.closest("[aria-expanded], summary") !== null;
      if (!isOpening || !isSticking.current) return;
      isSticking.current = false;
      // What opens elsewhere, such as a menu, does not move the end.
      afterNextFrame(() => {
        isSticking.current ||= isAtVeryEnd(scroller);
      });
    };
    const mutations = new MutationObserver(() => {
      if (hasChanged) return;
      hasChanged = true;
      // By then the scroll events that its layout causes have come.
      afterNextFrame(() => {
        hasChanged = false;
      });
    });
    mutations.observe(content, { childList: true, characterData: true, subtree: true });
    const sizes = new ResizeObserver(settle);
    sizes.observe(content);
    sizes.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    content.addEventListener("click", onClick, { capture: true });
    return () => {
      byHand.close();
      mutations.disconnect();
      sizes.disconnect();
      scroller.removeEventListener("scroll", onScroll);
      content.removeEventListener("click", onClick, { capture: true });
    };
  }, [element]);
  const goToEnd = useCallback<Stick["goToEnd"]>(
    (behavior = "smooth") => {
      const scroller = element.current;
      if (!scroller) return;
      isSticking.current = true;
      hand.current?.forget();
      setAtEnd(true);
      const { rest, clientHeight } = placeOf(scroller);
      const isSmooth =
        behavior === "smooth" &&
        rest < SMOOTH_SCREENS * clientHeight &&
        !matchMedia("(prefers-reduced-motion: reduce)").matches;
      scroller.scrollTo({
        top: scroller.scrollHeight,
        behavior: isSmooth ? "smooth" : "instant",
      });
    },
    [element],
  );
  const leaveFor = useCallback<Stick["leaveFor"]>(
    (top) => {
      isSticking.current = false;
      if (element.current) element.current.scrollTop = top;
    },
    [element],
  );
  return { isAtEnd, goToEnd, leaveFor };
}

function isAtVeryEnd(scroller: HTMLElement): boolean {
  return placeOf(scroller).rest < 1;
}

/** After the layout of what was changed just now. */
function afterNextFrame(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
