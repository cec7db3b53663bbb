/** A place for components that takes room from the conversation; the overlay takes none. */
export type Place = "canvas" | "sidebar" | "panel";

export const places: readonly Place[] = ["canvas", "sidebar", "panel"];

/** Narrower panes show one place, as a sheet over the conversation. */
export const SHEET_WIDTH = 768;
/** Narrower panes have no room for the canvas and the sidebar together. */
const BOTH_SIDES_WIDTH = 1120;

/** Which places are shown in a pane, of those that have something to show; the one that changed last comes first. */
export function placesInSight(open: readonly Place[], paneWidth: number): readonly Place[] {
  if (paneWidth < SHEET_WIDTH) return open.slice(0, 1);
  if (paneWidth >= BOTH_SIDES_WIDTH) return open;
  const side = open.find((place) => place !== "panel");
  return open.filter((place) => place === "panel" || place === side);
}

/** The same places, one of them first. */
export function withFirst(order: readonly Place[], first: Place): readonly Place[] {
  return order[0] === first ? order : [first, ...order.filter((place) => place !== first)];
}
