import { readFileSync } from "node:fs";

/** A message of a client in a document's example, with the answers before its next one. */
export interface ExchangeStep {
  readonly sent: string;
  readonly received: readonly string[];
}

/** The exchanges of a document: fenced as `exchange`, a client's lines at the margin, the server's indented. */
export function exchangesIn(document: URL): ExchangeStep[][] {
  const blocks = readFileSync(document, "utf8").matchAll(/^```exchange\n([^]*?)^```$/gm);
  return Array.from(blocks, ([, block = ""]) => {
    const steps: { sent: string; received: string[] }[] = [];
    for (const line of block.trimEnd().split("\n")) {
      if (line.startsWith(" ")) steps.at(-1)?.received.push(line.trim());
      else steps.push({ sent: line, received: [] });
    }
    return steps;
  });
}

/** Whether a value has all that a document shows of it; `"…"` matches any value. */
export function isShownAs(value: unknown, shown: unknown): boolean {
  if (shown === "…") return value !== undefined;
  if (typeof shown !== "object" || shown === null) return Object.is(value, shown);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(shown)) {
    if (!Array.isArray(value) || value.length !== shown.length) return false;
    return shown.every((item, index) => isShownAs(value[index], item));
  }
  const known = value as Readonly<Record<string, unknown>>;
  return Object.entries(shown).every(([name, item]) => isShownAs(known[name], item));
}
