/** The part of the window that an element is in; sessions side by side are two. */
export function paneOf(element: Element): Element {
  return element.closest("[data-pane]") ?? document.body;
}

/** The part that keys are for: the one with the focus, else the first. */
export function activePane(): Element {
  const focused = document.activeElement?.closest("[data-pane]");
  return focused ?? document.querySelector("[data-pane]") ?? document.body;
}
