import type { Format } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const MOST_LINES = 400;

function diffLine(line: string, { colors }: Format): string {
  if (line.startsWith("+++") || line.startsWith("---")) return colors.bold(line);
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return /^(?:diff|index|new|deleted|rename|similarity) /.test(line) ? colors.dim(line) : line;
}

/** A unified diff with its lines coloured. */
export function diffLines(unified: string, format: Format): string[] {
  const lines = safeText(unified).trimEnd().split("\n");
  const shown = lines.slice(0, MOST_LINES).map((line) => diffLine(line, format));
  const missing = lines.length - shown.length;
  return missing > 0 ? [...shown, format.colors.dim(`… ${missing} more lines`)] : shown;
}
