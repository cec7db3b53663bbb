import { knownStart, literalText, type ShellWord } from "../shell/shell-word.ts";
import { type Call, found, type Program, reads, writes } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";
import { hasOption } from "./reader.ts";

const options = optionTable(
  "n e: E r s u z i:attached quiet silent expression: regexp-extended separate unbuffered null-data posix debug sandbox in-place:attached l: line-length: help version",
);

/** `sed`: its script may run commands and write files; only what does neither is known. */
export const sed: Program = (call) => {
  const parsed = parseCall(call.args, options);
  reportOptions(call, parsed, options);
  const given = parsed.options.filter(({ name }) => name === "e" || name === "expression");
  const [first, ...rest] = parsed.operands;
  const scripts = given.length > 0 ? given.map(({ value }) => value) : [first];
  const files = given.length > 0 ? parsed.operands : rest;
  for (const script of scripts) checkScript(call, script);
  const isInPlace = hasOption(parsed, "i", "in-place");
  for (const file of files) {
    // In place it may keep a copy by another name.
    reads(call, file);
    if (isInPlace) writes(call, file);
  }
  const suffix = parsed.options.find(({ name }) => name === "i" || name === "in-place")?.value;
  if (suffix && /[/*]/.test(knownStart(suffix)))
    found(call, "opaque", "its backups may be written anywhere");
  found(call, "inspect", "edits text");
  return undefined;
};

function checkScript(call: Call, word: ShellWord | undefined): void {
  const text = literalText(word);
  if (text === undefined) found(call, "opaque", "the script of sed is known only when it runs");
  else if (!isHarmlessSed(text) || (call.walk.isClosed && /[[\\\n]/.test(text))) {
    found(call, "opaque", "a script of sed can run commands, and read and write files");
  }
}

/** A bracket of a pattern that all programs end at the same place: it does not begin with `]` and has no mark in it. */
const set = String.raw`\[(?!\^?\])(?:(?!\k<mark>)[^\]\\\n[]|\[:[a-z]+:\]|\\(?!\k<mark>)[^\]\n])+\]`;
const pattern = String.raw`(?:(?!\k<mark>)[^\\\n[]|\\[^\n]|${set})*`;
const replacement = String.raw`(?:(?!\k<mark>)[^\\\n]|\\[^])*`;
const end = String.raw`(?=\s*(?:[;}\n]|$))`;

const address = new RegExp(String.raw`\d+(?:~\d+)?|\$|(?<mark>\/)${pattern}\/[IM]*`, "y");
/** Commands that print, count, or change what is printed: no `e` and no `w`. */
const commands = [
  String.raw`\{`,
  String.raw`[pPdDgGhHxnN=lqQ](?:\s*\d+)?${end}`,
  String.raw`[sy](?<mark>[/|#,:@!%_+=~])${pattern}\k<mark>${replacement}\k<mark>[gpiI\d]*${end}`,
  String.raw`[aic](?:\\\n?|\s)[^\n\\]*(?=\n|$)`,
].map((source) => new RegExp(source, "y"));

const range = /\s*,\s*(?:[+~]\d+)?/y;
const negation = /\s*!?\s*/y;
const between = /[\s;}]*/y;

/** Reads a script command by command; false at the first thing that is not known. */
export function isHarmlessSed(script: string): boolean {
  let index = 0;
  const skip = (expression: RegExp): string | undefined => {
    expression.lastIndex = index;
    const text = expression.exec(script)?.[0];
    index += text?.length ?? 0;
    return text;
  };
  skip(between);
  while (index < script.length) {
    if (skip(address) !== undefined) {
      const second = skip(range);
      const isWhole = second === undefined || /\d$/.test(second);
      if (!isWhole && skip(address) === undefined) return false;
    }
    skip(negation);
    if (commands.every((command) => skip(command) === undefined)) return false;
    skip(between);
  }
  return true;
}
