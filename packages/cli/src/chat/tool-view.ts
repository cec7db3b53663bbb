import { type JsonValue, outputText, type ToolBlock } from "@turnwire/protocol";
import type { Format } from "../terminal/format.ts";
import { safeLine, safeOutput, safeText } from "../terminal/safe-text.ts";
import { truncate, wrap } from "../terminal/wrap.ts";
import { amountText, durationText } from "../terminal/figure.ts";
import { diffLines } from "./diff-view.ts";
import { isJsonObject, textFromJson } from "./json-text.ts";

const TAIL_LINES = 6;
/** Enough for the tail of any output, and little enough to look at again and again. */
const TAIL_CHARACTERS = 4096;
const CHANGE_LINES = 12;
/** Durations shorter than this are not shown. */
const INSTANT_MS = 100;

/** What a tool works on, on one line: its command, its file, its pattern, or its whole input. */
function subjectOf({ command, file_path, pattern, search_path, input }: ToolBlock): string {
  if (command !== undefined) return command;
  if (file_path !== undefined) return file_path;
  if (pattern !== undefined)
    return search_path === undefined ? pattern : `${pattern} in ${search_path}`;
  if (input === undefined || (isJsonObject(input) && Object.keys(input).length === 0)) return "";
  return textFromJson(input);
}

/** The last lines of an output, with a sign where lines are missing before them. */
function tail(text: string, width: number): string[] {
  const end = text.slice(-TAIL_CHARACTERS);
  const lines = safeOutput(end).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const isCut = end.length < text.length || lines.length > TAIL_LINES;
  const shown = lines.slice(-TAIL_LINES).map((line) => truncate(line, width));
  return isCut ? ["…", ...shown] : shown;
}

function hasChange(
  input: JsonValue | undefined,
): input is { old_string: string; new_string: string } {
  return (
    isJsonObject(input) &&
    typeof input["old_string"] === "string" &&
    typeof input["new_string"] === "string"
  );
}

/** What an edit takes away and puts in, as far as its input shows. */
export function changeLines(input: JsonValue | undefined, format: Format): string[] {
  if (!hasChange(input)) return [];
  const { red, green } = format.colors;
  const removed = safeText(input.old_string)
    .split("\n")
    .map((line) => red(`- ${line}`));
  const added = safeText(input.new_string)
    .split("\n")
    .map((line) => green(`+ ${line}`));
  return [...removed, ...added];
}

function facts(block: ToolBlock): string {
  const exit = typeof block.exit_code === "number" && block.exit_code !== 0;
  return [
    exit ? `exit ${block.exit_code}` : "",
    block.status === "abandoned" ? "abandoned" : "",
    block.duration_ms === undefined || block.duration_ms < INSTANT_MS
      ? ""
      : durationText(block.duration_ms),
  ]
    .filter(Boolean)
    .map((fact) => ` · ${fact}`)
    .join("");
}

function mark({ status }: ToolBlock, { colors }: Format): string {
  switch (status) {
    case "preparing":
    case "running":
      return colors.yellow("◌");
    case "done":
      return colors.green("●");
    case "failed":
      return colors.red("✗");
    case "abandoned":
      return colors.dim("○");
  }
}

/** A command that only reads is named by what it does; any other call by its tool. */
function nameOf({ tool, command, is_file_read, file_path, pattern }: ToolBlock): string {
  if (command === undefined || is_file_read !== true) return tool;
  if (pattern !== undefined) return "Search";
  return file_path === undefined ? tool : "Read";
}

function title(block: ToolBlock, format: Format): string {
  const { bold, dim } = format.colors;
  const end = facts(block);
  const name = nameOf(block);
  const room = format.width - name.length - end.length - 3;
  const summary = truncate(safeLine(subjectOf(block)), Math.max(8, room));
  const words = summary === "" ? "" : ` ${summary}`;
  return `${mark(block, format)} ${bold(safeLine(name))}${words}${dim(end)}`;
}

function outcome(block: ToolBlock, format: Format): string[] {
  const { dim, red } = format.colors;
  const text = block.output === undefined ? block.streamed : outputText(block.output);
  const output = tail(text, format.width);
  if (block.status === "failed") return output.map((line) => red(line));
  if (block.is_file_read && block.status === "done") {
    return [dim(amountText(text.trimEnd().split("\n").length, "line"))];
  }
  const change =
    block.diff === undefined ? changeLines(block.input, format) : diffLines(block.diff, format);
  const isLong = change.length > CHANGE_LINES;
  return [
    ...change.slice(0, CHANGE_LINES),
    ...(isLong ? [dim("…")] : []),
    ...output.map((line) => dim(line)),
  ];
}

/** A tool with what came of it: while it runs, the end of its output so far. */
export function toolLines(block: ToolBlock, format: Format): string[] {
  const inner = { ...format, width: format.width - 2 };
  return [
    title(block, format),
    ...[...policyLines(block, inner), ...originalLines(block, inner), ...outcome(block, inner)].map(
      (line) => `  ${line}`,
    ),
  ];
}

/** Why the policy refused the call or asked a person; what it allows is not mentioned. */
function policyLines({ policy }: Pick<ToolBlock, "policy">, format: Format): string[] {
  if (!policy || policy.verdict === "allow") return [];
  const { verdict, reason, rule, mode } = policy;
  const [what, color] =
    verdict === "deny"
      ? ["refused by policy", format.colors.red]
      : ["asked because of the policy", format.colors.dim];
  const text = safeLine(`${what}: ${reason} (rule ${rule}, mode ${mode})`);
  return wrap(text, format.width).map((line) => color(line));
}

/** What the agent had asked for, where a person let it do something else. */
function originalLines({ permission }: ToolBlock, format: Format): string[] {
  const original = permission?.original_input;
  if (original === undefined) return [];
  const command = isJsonObject(original) ? original["command"] : undefined;
  const asked = typeof command === "string" ? command : textFromJson(original);
  return [format.colors.dim(truncate(safeLine(`changed from: ${asked}`), format.width))];
}
