import { writtenPattern } from "./name-pattern.ts";

/** Whether a tool's name fits a pattern; `*` is any part of a name. */
export function fitsToolName(pattern: string, tool: string): boolean {
  return writtenPattern(pattern, { matchesCase: true }).test(tool);
}
