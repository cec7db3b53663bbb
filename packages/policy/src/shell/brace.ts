const maxWords = 64;

/** The texts that a brace expansion gives; undefined where it is not a plain one. */
export function expandBraces(text: string): readonly string[] | undefined {
  const range = /^\{(\d{1,4})\.\.(\d{1,4})\}$/.exec(text);
  if (range) return numbers(Number(range[1]), Number(range[2]), text);
  const list = /^\{([A-Za-z0-9_.,/@+=:-]*,[A-Za-z0-9_.,/@+=:-]*)\}$/.exec(text);
  const parts = list?.[1]?.split(",");
  return parts && parts.length <= maxWords ? parts : undefined;
}

function numbers(from: number, to: number, text: string): readonly string[] | undefined {
  const isPadded = /\{0\d|\.\.0\d/.test(text);
  const length = Math.abs(to - from) + 1;
  if (isPadded || length > maxWords) return undefined;
  return Array.from({ length }, (_, index) => String(from < to ? from + index : from - index));
}
