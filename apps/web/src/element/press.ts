import { useLayoutEffect, useState, type PointerEvent as ReactPointerEvent } from "react";

/** How long after a press its click may come: browsers make one of a touch with a delay. */
const CLICK_MS = 500;

interface Press {
  readonly pointerId: number;
}

/**
 * Whether a pointer is down in an element, until its click has been handled. What is pressed has to stay where it is
 * meanwhile: otherwise the click would land on what has taken its place.
 */
export function usePress() {
  const [press, setPress] = useState<Press>();
  useLayoutEffect(() => {
    if (!press) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => setPress(undefined);
    const endIn = (delayMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(end, delayMs);
    };
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const isOurs = ({ pointerId }: PointerEvent): boolean => pointerId === press.pointerId;
    addEventListener("pointerup", (event) => isOurs(event) && endIn(CLICK_MS), options);
    // Also when it becomes a scroll or a drag.
    addEventListener("pointercancel", (event) => isOurs(event) && end(), options);
    // After everyone has handled it.
    addEventListener("click", () => endIn(0), options);
    // The release may go to whatever has taken the pointer over.
    addEventListener("contextmenu", end, options);
    addEventListener("blur", (event) => event.target === window && end(), options);
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [press]);
  return {
    isPressed: press !== undefined,
    onPointerDown: ({ button, isPrimary, pointerId }: ReactPointerEvent): void => {
      if (button === 0 && isPrimary) setPress({ pointerId });
    },
  };
}
