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

const refused =
  /\b(?:system|getline|ENVIRON|ARGV|ARGC|ARGIND|FUNCTAB|SYMTAB|PROCINFO|namespace|extension|func|function)\b|@|\\\n/;

/** Whatever of it is text or a pattern: true if nothing in it pipes, redirects, or reads something else. */
export function isHarmlessAwk(program: string): boolean {
  const pipes = /(?<!\|)\|(?!\|)|\|{3}/.test(program);
  const redirects = /\bprintf?\b[^]*>(?!=)/.test(program);
  return !refused.test(program) && !pipes && !redirects;
}
