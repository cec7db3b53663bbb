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
    if (isInPlace) writes(call, file);
    else reads(call, file);
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
  else if (!isHarmlessSed(text)) {
    found(call, "opaque", "a script of sed can run commands, and read and write files");
  }
}

/** Reads a script command by command; false at the first thing that is not known. */
export function isHarmlessSed(script: string): boolean {
  let rest = script.trimStart();
  for (let count = 0; rest !== ""; count += 1) {
    if (count > 200) return false;
    const length = commandLength(rest);
    if (length === undefined) return false;
    rest = rest.slice(length).replace(/^[\s;}]+/, "");
  }
  return true;
}

const address = /^(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n[\]]|\\.|\[[^\]/\\\n]+\])*\/[IM]*)/;

function commandLength(text: string): number | undefined {
  let rest = text;
  const first = address.exec(rest);
  if (first) {
    rest = rest.slice(first[0].length);
    const range = /^\s*,\s*(?:[+~]\d+)?/.exec(rest);
    if (range) {
      rest = rest.slice(range[0].length);
      const second = /[+~]/.test(range[0]) ? undefined : address.exec(rest);
      if (!second && !/[+~]/.test(range[0])) return undefined;
      rest = rest.slice(second?.[0].length ?? 0);
    }
  }
  rest = rest.replace(/^\s*!?\s*/, "");
  const done = (length: number): number => text.length - rest.length + length;
  const [name = ""] = rest;
  if (name === "{") return done(1);
  if (/[pPdDgGhHxnN=lqQ]/.test(name)) {
    const match = /^[pPdDgGhHxnN=lqQ](?:\s*\d+)?(?=\s*(?:[;}\n]|$))/.exec(rest);
    return match ? done(match[0].length) : undefined;
  }
  if (name === "s" || name === "y") return substitution(rest, done);
  if (/[aic]/.test(name)) {
    const match = /^[aic](?:\\\n?|\s)[^\n\\]*(?=\n|$)/.exec(rest);
    return match ? done(match[0].length) : undefined;
  }
  return undefined;
}

/** `s/a/b/g`: flags that print and count only, no `e` and no `w`. */
function substitution(rest: string, done: (length: number) => number): number | undefined {
  const mark = rest[1] ?? "";
  if (!/^[/|#,:@!%_+=~]$/.test(mark)) return undefined;
  let index = 2;
  for (let part = 0; part < 2; index += 1) {
    const sign = rest[index];
    if (sign === undefined || sign === "\n") return undefined;
    if (sign === "\\") index += 1;
    // Whether the mark ends the pattern inside brackets differs between programs.
    else if (sign === "[" && rest.slice(index, rest.indexOf("]", index)).includes(mark))
      return undefined;
    else if (sign === mark) part += 1;
  }
  const flags = /^[gpiI\d]*(?=\s*(?:[;}\n]|$))/.exec(rest.slice(index));
  return flags ? done(index + flags[0].length) : undefined;
}
