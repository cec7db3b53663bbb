const cache = new Map<string, RegExp>();

/** Whether a tool's name fits a pattern; `*` is any part of a name. */
export function fitsToolName(pattern: string, tool: string): boolean {
  if (!pattern.includes("*")) return pattern === tool;
  const known = cache.get(pattern);
  if (known) return known.test(tool);
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${parts.join(".*")}$`, "s");
  if (cache.size < 1_000) cache.set(pattern, expression);
  return expression.test(tool);
}
