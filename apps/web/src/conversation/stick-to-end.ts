import { useEffect, useRef, useState, type RefObject } from "react";

/** How near the end still counts as being there. */
const NEAR = 48;

interface Stick {
  readonly isAtEnd: boolean;
  readonly goToEnd: () => void;
}

/** Keeps a scrolled element at its end while it grows, until a person scrolls away from there. */
export function useStickToEnd(element: RefObject<HTMLElement | null>): Stick {
  const [isAtEnd, setAtEnd] = useState(true);
  const isSticking = useRef(true);
  useEffect(() => {
    const scroller = element.current;
    const content = scroller?.firstElementChild;
    if (!scroller || !content) return;
    const toEnd = (): void => {
      if (isSticking.current) scroller.scrollTop = scroller.scrollHeight;
    };
    const onScroll = (): void => {
      const rest = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      isSticking.current = rest < NEAR;
      setAtEnd(isSticking.current);
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(content);
    observer.observe(scroller);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", onScroll);
    };
  }, [element]);
  const goToEnd = (): void => {
    const scroller = element.current;
    scroller?.scrollTo({ top: scroller.scrollHeight, behavior: "smooth" });
  };
  return { isAtEnd, goToEnd };
}
