import { literalText } from "../shell/shell-word.ts";
import { found, type Program, reads } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";

const options = optionTable("F: v: field-separator: assign:");

/** `awk`: its program may run commands, write and read files; only what does not is known. */
export const awk: Program = (call) => {
  const parsed = parseCall(call.args, options, { stopsAtOperand: true });
  reportOptions(call, parsed, options);
  const [program, ...files] = parsed.operands;
  const text = literalText(program);
  if (text === undefined) found(call, "opaque", "the program of awk is known only when it runs");
  else if (!isHarmlessAwk(text) || (call.walk.isClosed && !onlyPrints.test(text))) {
    found(call, "opaque", "a program of awk can run commands, and read and write files");
  }
  for (const file of files) {
    if (/^[A-Za-z_]\w*=/.test(literalText(file) ?? "")) continue;
    reads(call, file);
  }
  found(call, "inspect", "prints parts of text");
  return undefined;
};

/** Fields, as in `{print $1, $NF}`. */
const onlyPrints = /^\{ *print(?: *\$(?:\d+|NF)(?: *, *\$(?:\d+|NF))*)? *\}$/;

const refused = new Set(
  "system getline close fflush ENVIRON ARGV ARGC ARGIND FUNCTAB SYMTAB PROCINFO include load namespace function func eval extension".split(
    " ",
  ),
);
const token =
  /\s+|#[^\n]*|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+|&&|\|\||[-+*%^=!<>]=|\+\+|--|!~|[-+*%^=!<>~?:,;{}()[\]$]/y;

/** Reads tokens; false at the first that pipes, redirects, calls something else, or is not clear. */
export function isHarmlessAwk(program: string): boolean {
  let index = 0;
  /** The meaning of `/` here: after an operand a division, else the start of a regular expression. */
  let isAfterOperand = false;
  let isPrinting = false;
  /** The last token was one after which a line may end within an expression. */
  let isContinued = false;
  while (index < program.length) {
    if (program[index] === "/") {
      if (isAfterOperand) {
        // Programs differ in what they take for a division; what follows must read the same either way.
        if (/["/]/.test(program.slice(index + 1))) return false;
        index += 1;
        isAfterOperand = false;
        continue;
      }
      const end = /\/(?:[^/\\\n[\]]|\\[^\n]|\[\^?\]?[^\]/\\\n]*\])*\//y;
      end.lastIndex = index;
      const match = end.exec(program);
      if (!match) return false;
      index = end.lastIndex;
      isAfterOperand = true;
      continue;
    }
    token.lastIndex = index;
    const text = token.exec(program)?.[0];
    if (text === undefined) return false;
    index += text.length;
    if (/^(?:\s|#)/.test(text)) {
      if (text.includes("\n") && !isContinued) isPrinting = false;
      if (text.includes("\n")) isAfterOperand = false;
      continue;
    }
    isContinued = /^(?:,|&&|\|\||[?:])$/.test(text);
    if (refused.has(text)) return false;
    if (text === "print" || text === "printf") isPrinting = true;
    if (/^[;{}]$/.test(text)) isPrinting = false;
    if (text === ">" && isPrinting) return false;
    isAfterOperand =
      /^(?:"|[A-Za-z_\d.]|[)\]$]$|\+\+$|--$)/.test(text) &&
      !/^(?:print|printf|return|in|if|while|for|do|else|delete|exit|next)$/.test(text);
  }
  return true;
}
