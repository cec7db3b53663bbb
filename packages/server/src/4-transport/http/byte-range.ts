import type { ByteRange } from "@turnwire/log";

/** What a `range` header asks for. whole: everything, also where the header says nothing we understand (RFC 9110). */
export type RangeWish =
  | { readonly type: "whole" }
  | { readonly type: "part"; readonly range: ByteRange }
  | { readonly type: "unsatisfiable" };

/** One range of bytes; several at once are answered with the whole. */
export function rangeFrom(header: string | undefined, size: number): RangeWish {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (first === "" && last === "") return { type: "whole" };
  if (first === "") return part(Math.max(0, size - Number(last)), size);
  if (last !== "" && Number(last) < Number(first)) return { type: "whole" };
  return part(Number(first), last === "" ? size : Math.min(size, Number(last) + 1));
}

function part(start: number, end: number): RangeWish {
  return start < end ? { type: "part", range: { start, end } } : { type: "unsatisfiable" };
}
