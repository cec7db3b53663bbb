import { trimSpace } from "../inline/space.ts";

/** The start of a list item; items of the same kind make one list. */
export interface ListMarker {
  /** The bullet itself, or the delimiter after the number. */
  readonly kind: string;
  readonly start: number | undefined;
  readonly length: number;
}

const bullet = /^[-+*](?=[ \t]|$)/;
const ordinal = /^(\d{1,9})([.)])(?=[ \t]|$)/;

/** The marker a line's content starts with. */
export function listMarkerFrom(content: string): ListMarker | undefined {
  const found = bullet.exec(content);
  if (found !== null) return { kind: found[0], start: undefined, length: 1 };
  const number = ordinal.exec(content);
  if (number === null) return undefined;
  const [marker, digits = "", kind = ""] = number;
  return { kind, start: Number(digits), length: marker.length };
}

/** Only a bullet or the number one, with content, ends a paragraph: else many a year or price would. */
export function canInterruptParagraph(marker: ListMarker, content: string): boolean {
  return (marker.start ?? 1) === 1 && trimSpace(content.slice(marker.length)) !== "";
}
