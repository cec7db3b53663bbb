const GAP = 4;

/** Below the anchor where there is room, else above; never outside the window. Ends where the anchor ends. */
export function placeBeside(element: HTMLElement, anchor: DOMRect): void {
  place(element, anchor, (width) => anchor.right - width);
}

/** The same, but it begins where the anchor begins. */
export function placeAtStart(element: HTMLElement, anchor: DOMRect): void {
  place(element, anchor, () => anchor.left);
}

function place(element: HTMLElement, anchor: DOMRect, leftOf: (width: number) => number): void {
  const { width, height } = element.getBoundingClientRect();
  const below = anchor.bottom + GAP;
  const top = below + height < innerHeight ? below : anchor.top - GAP - height;
  element.style.top = `${Math.max(GAP, top)}px`;
  element.style.left = `${Math.max(GAP, Math.min(leftOf(width), innerWidth - width - GAP))}px`;
}
