import { literalText, type ShellWord } from "../shell/shell-word.ts";
import { found, type Program } from "./call.ts";

const unary = /^-[abcdefghkprstuwxGLNOSnz]$/;
const binary = new Set([
  "=",
  "==",
  "!=",
  "<",
  ">",
  "-eq",
  "-ne",
  "-lt",
  "-le",
  "-gt",
  "-ge",
  "-nt",
  "-ot",
  "-ef",
]);

/** An operand that bash would evaluate again has an index in it. */
function isPlainOperand(word: ShellWord | undefined): boolean {
  return word !== undefined && !/[[\]$`(]/.test(literalText(word) ?? "");
}

function isSplitOrMissing(word: ShellWord | undefined): boolean {
  return (
    !word ||
    word.pieces.some(
      (piece) =>
        (piece.type === "unknown" && piece.isSplit && piece.origin !== "number") ||
        piece.type === "glob",
    )
  );
}

/** `test` and `[`: only forms whose operators are written out. */
export const test: Program = (call) => {
  const closing = call.name === "[" ? call.args.slice(-1) : [];
  let words = call.name === "[" ? call.args.slice(0, -1) : call.args;
  let isKnown = call.name !== "[" || literalText(closing[0]) === "]";
  while (literalText(words[0]) === "!" && words.length > 1) words = words.slice(1);
  const [first, second, third] = words;
  if (words.length === 1) isKnown &&= !isSplitOrMissing(first);
  else if (words.length === 2)
    isKnown &&= unary.test(literalText(first) ?? "") && isPlainOperand(second);
  else if (words.length === 3) isKnown &&= binary.has(literalText(second) ?? "");
  else if (words.length > 3) isKnown = false;
  // A word that may become several changes which of them is the operator.
  isKnown &&= [first, second, third].every((word) => !word || !isSplitOrMissing(word));
  isKnown &&= words.every(isPlainOperand);
  if (isKnown) found(call, "inspect", "tests something");
  else found(call, "opaque", "this kind of test can run commands");
  return undefined;
};
