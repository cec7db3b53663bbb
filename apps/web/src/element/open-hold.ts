import { createContext, use, useLayoutEffect } from "react";

/** Keeps what is around it in the page until the returned function is called. */
export type OpenHold = () => () => void;

/** For lists that unmount what is out of sight; everything else keeps its content anyway. */
export const OpenHoldContext = createContext<OpenHold | undefined>(undefined);

/** Keeps the row that something was opened from: without it, what is open would close by itself. */
export function useOpenHold(isOpen: boolean): void {
  const hold = use(OpenHoldContext);
  useLayoutEffect(() => (isOpen ? hold?.() : undefined), [isOpen, hold]);
}
