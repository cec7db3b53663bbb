import { useEffect } from "react";
import { usePane } from "./pane.ts";

/**
 * Gives the focus to what is left around an element that disappeared or was disabled while it had it: the nearest
 * place that takes it, else the fallback. Without this, keys would go nowhere.
 */
export function useKeepFocus(fallback: () => void): void {
  const pane = usePane();
  useEffect(() => {
    let path: readonly HTMLElement[] = [];
    const onFocusIn = ({ target }: FocusEvent): void => {
      path = target instanceof HTMLElement && pane.contains(target) ? pathFrom(target) : [];
    };
    const onFocusOut = ({ target }: FocusEvent): void => {
      // After the removal, if there is one: a person who clicks beside everything wants no focus.
      setTimeout(() => {
        if (target === path[0] && canFocus(path[0]) && isLost()) path = [];
      });
    };
    const repair = (): void => {
      if (!isLost() || !document.hasFocus()) return;
      const around = path.filter((element) => pane.contains(element));
      path = [];
      if (!around.some(takesFocus)) fallback();
    };
    const observer = new MutationObserver(() => {
      // Whoever removes something may give the focus a better place, in the frame after it.
      if (path[0] && !canFocus(path[0])) afterNextFrame(repair);
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ["disabled", "hidden"],
    });
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("focusout", onFocusOut);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("focusout", onFocusOut);
    };
  }, [pane, fallback]);
}

function pathFrom(target: HTMLElement): readonly HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let element: HTMLElement | null = target; element; element = element.parentElement) {
    path.push(element);
  }
  return path;
}

function canFocus(element: HTMLElement | undefined): boolean {
  return (
    element?.isConnected === true &&
    !element.matches(":disabled") &&
    element.closest("[hidden]") === null
  );
}

function isLost(): boolean {
  const { activeElement, body } = document;
  return (
    activeElement === null || activeElement === body || !canFocus(activeElement as HTMLElement)
  );
}

function takesFocus(element: HTMLElement): boolean {
  if (!canFocus(element) || (element.tabIndex < 0 && !element.hasAttribute("tabindex")))
    return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

function afterNextFrame(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
