import { useEffect, useRef, useState, type RefObject } from "react";

/** How near the end still counts as being there. */
const NEAR = 48;
/** Over more than this many screens, smooth scrolling would take too long. */
const SMOOTH_SCREENS = 3;

interface Stick {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
  /** Scrolls to a place away from the end, which must hold while rows there are measured. */
  readonly leaveFor: (top: number) => void;
}

interface Place {
  readonly top: number;
  readonly height: number;
}

/**
 * Keeps a scrolled element at its end while it grows. A person leaves the end by scrolling up, however
 * little, or by opening something there; coming near the end again resumes it.
 */
export function useStickToEnd(element: RefObject<HTMLElement | null>): Stick {
  const [isAtEnd, setAtEnd] = useState(true);
  const isSticking = useRef(true);
  useEffect(() => {
    const scroller = element.current;
    const content = scroller?.firstElementChild;
    if (!scroller || !content) return;
    let last: Place = { top: scroller.scrollTop, height: scroller.scrollHeight };
    const settle = (): void => {
      if (isSticking.current) scroller.scrollTop = scroller.scrollHeight;
      else isSticking.current = restOf(scroller) < 1;
      last = { top: scroller.scrollTop, height: scroller.scrollHeight };
      setAtEnd(isSticking.current || restOf(scroller) < NEAR);
    };
    const onScroll = (): void => {
      const { scrollTop: top, scrollHeight: height } = scroller;
      // Shrinking content moves the scroll position, too; the person has not left the end.
      if (top < last.top - 1 && height >= last.height) isSticking.current = false;
      else if (restOf(scroller) < NEAR && top >= last.top) isSticking.current = true;
      last = { top, height };
      setAtEnd(isSticking.current || restOf(scroller) < NEAR);
    };
    const onClick = (event: Event): void => {
      const isOpening =
        event.target instanceof Element &&
        event.target.closest("[aria-expanded], summary") !== null;
      if (isOpening) isSticking.current = false;
    };
    const observer = new ResizeObserver(settle);
    observer.observe(content);
    observer.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    content.addEventListener("click", onClick, { capture: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", onScroll);
      content.removeEventListener("click", onClick, { capture: true });
    };
  }, [element]);
  const goToEnd = (): void => {
    const scroller = element.current;
    if (!scroller) return;
    isSticking.current = true;
    const isNear = restOf(scroller) < SMOOTH_SCREENS * scroller.clientHeight;
    scroller.scrollTo({ top: scroller.scrollHeight, behavior: isNear ? "smooth" : "instant" });
  };
  const leaveFor = (top: number): void => {
    isSticking.current = false;
    if (element.current) element.current.scrollTop = top;
  };
  return { isAtEnd, goToEnd, leaveFor };
}

function restOf({ scrollHeight, scrollTop, clientHeight }: HTMLElement): number {
  return scrollHeight - scrollTop - clientHeight;
}
