const GAP = 4;

/** Below the anchor where there is room, else above; never outside the window. */
export function placeBeside(element: HTMLElement, anchor: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const below = anchor.bottom + GAP;
  const top = below + height < innerHeight ? below : anchor.top - GAP - height;
  element.style.top = `${Math.max(GAP, top)}px`;
  element.style.left = `${Math.max(GAP, Math.min(anchor.right - width, innerWidth - width - GAP))}px`;
}
