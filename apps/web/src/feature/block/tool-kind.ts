import { isObject } from "@turnwire/base";
import { firstLine, outputText, toolSummary, type ToolBlock } from "@turnwire/protocol";
import type { IconName } from "../../element/icon.tsx";
import { counted } from "../../element/figure.ts";

/** What a tool does, judged by the facts of its call and not by its name. */
export type ToolKind = "command" | "search" | "list" | "read" | "change" | "plan" | "web" | "other";

export const toolIcons: Readonly<Record<ToolKind, IconName>> = {
  command: "terminal",
  search: "search",
  list: "folder",
  read: "file",
  change: "pencil",
  plan: "rows",
  web: "globe",
  other: "tool",
};

export function toolKind(block: ToolBlock): ToolKind {
  const { command, pattern, search_path, file_path, is_file_read, input } = block;
  if (command !== undefined && is_file_read !== true) return "command";
  if (pattern !== undefined) return "search";
  if (file_path !== undefined) return is_file_read === true ? "read" : "change";
  if (command !== undefined) return search_path === undefined ? "command" : "list";
  if (planOf(block) !== undefined) return "plan";
  const isWeb = typeof input === "object" && input !== null && "url" in input;
  return isWeb ? "web" : "other";
}

/** A plan that waits for approval, or waited. */
export function planOf({ tool, input }: Pick<ToolBlock, "tool" | "input">): string | undefined {
  if (tool !== "ExitPlanMode") return undefined;
  const plan = isObject(input) ? input["plan"] : undefined;
  return typeof plan === "string" ? plan : "";
}

/** What a command that only reads does, in a word; other calls have their tool's name. */
const readingNames: Partial<Record<ToolKind, string>> = {
  read: "Read",
  search: "Search",
  list: "List",
};

export function toolName(block: ToolBlock): string {
  const kind = toolKind(block);
  if (kind === "plan") return "Plan";
  return (block.command === undefined ? undefined : readingNames[kind]) ?? block.tool;
}

/** Longer lines are cut by the row anyway. */
const LINE_LENGTH = 1_000;

/** What ran, and how it ended if not well. */
function withEnding(line: string, { status, exit_code, output, policy }: ToolBlock): string {
  // The row says itself that it was refused; the reason is in its details.
  if (policy?.verdict === "deny") return line;
  if (exit_code) return `${line} · exit ${exit_code}`;
  if (status === "abandoned") return `${line} · abandoned`;
  if (status !== "failed") return line;
  return `${line} · ${firstLine(outputText(output), 80) || "failed"}`;
}

/** Members of the input that describe a call best, if it has no other facts. */
const telling = ["url", "query", "description", "skill", "name", "prompt", "path"];

/** A tool call in one line: its summary, or the most telling part of its input. */
export function toolLine(block: ToolBlock): string {
  const kind = toolKind(block);
  if (kind === "plan") return "";
  if (block.command !== undefined && block.status !== "preparing") {
    const line = kind === "command" ? firstLine(block.command, LINE_LENGTH) : readingLine(block);
    return withEnding(line, block);
  }
  const summary = toolSummary(block);
  const { input } = block;
  if (summary !== "Done" && summary !== "Running") return summary;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return summary;
  const found = telling.map((name) => input[name]).find((value) => typeof value === "string");
  return found?.split("\n")[0] ?? summary;
}

function readingLine({ pattern, search_path, file_path = "" }: ToolBlock): string {
  if (pattern === undefined) return file_path || (search_path ?? "");
  return search_path === undefined ? `"${pattern}"` : `"${pattern}" in ${search_path}`;
}

const nouns: Readonly<Record<ToolKind, readonly [string, string]>> = {
  command: ["command", "commands"],
  search: ["search", "searches"],
  list: ["directory listed", "directories listed"],
  read: ["file read", "files read"],
  change: ["edit", "edits"],
  plan: ["plan", "plans"],
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
