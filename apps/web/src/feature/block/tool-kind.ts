import { toolSummary, type ToolBlock } from "@turnwire/protocol";
import type { IconName } from "../../element/icon.tsx";
import { counted } from "../../element/figure.ts";

/** What a tool does, judged by the facts of its call and not by its name. */
export type ToolKind = "command" | "search" | "read" | "change" | "web" | "other";

export const toolIcons: Readonly<Record<ToolKind, IconName>> = {
  command: "terminal",
  search: "search",
  read: "file",
  change: "pencil",
  web: "globe",
  other: "tool",
};

export function toolKind({
  command,
  pattern,
  file_path,
  is_file_read,
  input,
}: ToolBlock): ToolKind {
  if (command !== undefined) return "command";
  if (pattern !== undefined) return "search";
  if (file_path !== undefined) return is_file_read === true ? "read" : "change";
  const isWeb = typeof input === "object" && input !== null && "url" in input;
  return isWeb ? "web" : "other";
}

/** Members of the input that describe a call best, if it has no other facts. */
const telling = ["url", "query", "description", "skill", "name", "prompt", "path"];

/** A tool call in one line: its summary, or the most telling part of its input. */
export function toolLine(block: ToolBlock): string {
  const summary = toolSummary(block);
  const { input } = block;
  if (summary !== "Done" && summary !== "Running") return summary;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return summary;
  const found = telling.map((name) => input[name]).find((value) => typeof value === "string");
  return found?.split("\n")[0] ?? summary;
}

const nouns: Readonly<Record<ToolKind, readonly [string, string]>> = {
  command: ["command", "commands"],
  search: ["search", "searches"],
  read: ["file read", "files read"],
  change: ["change", "changes"],
  web: ["web page", "web pages"],
  other: ["other call", "other calls"],
};

/** Many tool calls in one line: “12 files read, 3 searches, 1 failed”. */
export function toolsSummary(blocks: readonly ToolBlock[]): string {
  const counts = new Map<ToolKind, number>();
  for (const block of blocks) {
    const kind = toolKind(block);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const failed = blocks.filter(({ status }) => status === "failed").length;
  const parts = [...counts].map(([kind, count]) => counted(count, ...nouns[kind]));
  return [...parts, ...(failed > 0 ? [`${failed} failed`] : [])].join(", ");
}
