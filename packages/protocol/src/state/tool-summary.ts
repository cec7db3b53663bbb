import { firstLine } from "./first-line.ts";
import type { JsonValue } from "../json/json.ts";
import type { ToolBlock } from "./block.ts";

const SUMMARY_LENGTH = 80;

/** A tool call in one line, for a list where its output is folded away. */
export function toolSummary(block: ToolBlock): string {
  switch (block.status) {
    case "preparing":
      return `Preparing ${block.tool}`;
    case "running":
      return oneLine(subjectOf(block) ?? "Running");
    case "abandoned":
      return withRemark(subjectOf(block), "abandoned");
    case "failed":
      return withRemark(subjectOf(block), failureOf(block));
    case "done":
      return resultOf(block);
  }
}

/** A tool's output as text, whatever form the runtime gave it. */
export function outputText(output: JsonValue | undefined): string {
  if (output === undefined || output === null) return "";
  if (typeof output === "string") return output;
  if (!Array.isArray(output)) return JSON.stringify(output);
  return output.map(partText).join("\n");
}

function partText(part: JsonValue): string {
  if (typeof part === "string") return part;
  const isText = typeof part === "object" && part !== null && !Array.isArray(part);
  const text = isText ? part["text"] : undefined;
  return typeof text === "string" ? text : JSON.stringify(part);
}

/** The subject of the tool: a command, a file, a pattern. */
function subjectOf({ command, file_path, pattern }: ToolBlock): string | undefined {
  return command ?? file_path ?? (pattern === undefined ? undefined : `"${pattern}"`);
}

function resultOf(block: ToolBlock): string {
  const { command, file_path, pattern, exit_code } = block;
  if (command !== undefined) {
    return exit_code ? withRemark(command, `exit ${exit_code}`) : oneLine(command);
  }
  if (pattern !== undefined) return searchSummary(block, pattern);
  if (file_path !== undefined) return file_path;
  const output = outputText(block.output).trim();
  const isShort = output !== "" && output.length <= SUMMARY_LENGTH && !output.includes("\n");
  return isShort ? output : "Done";
}

function searchSummary(block: ToolBlock, pattern: string): string {
  const count = countOf(outputText(block.output));
  return /glob|find|list/i.test(block.tool)
    ? oneLine(`${count} ${count === 1 ? "file" : "files"} ${pattern}`)
    : oneLine(`${count} ${count === 1 ? "match" : "matches"} "${pattern}"`);
}

/** Claude's search tools begin with a heading: "Found 3 files", or say that there is nothing. */
function countOf(output: string): number {
  const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
  const [first = ""] = lines;
  if (lines.length === 1 && /^no (files|matches) found/i.test(first)) return 0;
  const heading = /^found (\d+) /i.exec(first)?.[1];
  return heading === undefined ? lines.length : Number(heading);
}

function failureOf({ exit_code, output }: ToolBlock): string {
  if (exit_code) return `exit ${exit_code}`;
  return outputText(output).trim() || "failed";
}

function withRemark(subject: string | undefined, remark: string): string {
  if (subject === undefined) return oneLine(remark);
  const shortRemark = firstLine(remark, SUMMARY_LENGTH / 2);
  return `${firstLine(subject, SUMMARY_LENGTH - shortRemark.length - 3)} · ${shortRemark}`;
}

function oneLine(text: string): string {
  return firstLine(text, SUMMARY_LENGTH);
}
