import { type RefCallback, useCallback, useState } from "react";

/** The width of an element, in CSS pixels, and the ref that measures it; infinite before it is known. */
export function useWidth(): readonly [number, RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  const ref = useCallback<RefCallback<HTMLElement>>((element) => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    setWidth(element.clientWidth);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [width, ref];
}
