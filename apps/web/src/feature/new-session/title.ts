const LENGTH = 80;

/** The first line of a message as a title; undefined where there are no words. */
export function titleFrom(text: string): string | undefined {
  const [line = ""] = text.trim().split("\n");
  if (line === "") return undefined;
  return line.length <= LENGTH ? line : `${line.slice(0, LENGTH - 1).trimEnd()}…`;
}
