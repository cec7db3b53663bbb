import {
  literalText,
  type Origin,
  type ShellWord,
  unknownWord,
  wordFromText,
} from "../shell/shell-word.ts";
import { found, type Program } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";

const options = optionTable(
  "0 r t x n: L: P: s: d: I: i:attached l:attached e:attached E: a:read null no-run-if-empty verbose exit max-args: max-lines:attached max-procs: max-chars: delimiter: replace:attached arg-file:read eof:attached",
);

/** `xargs`: its command gets words that are known only when it runs. */
export const xargs: Program = (call) => {
  const parsed = parseCall(call.args, options, { stopsAtOperand: true });
  reportOptions(call, parsed, options);
  const isPaths =
    call.input.type === "pipe" &&
    call.input.isPaths &&
    !parsed.options.some(({ name }) => /^(?:a|arg-file)$/.test(name));
  const origin: Origin = isPaths ? "paths" : "any";
  const replaced = parsed.options.findLast(({ name }) => /^(?:I|i|replace)$/.test(name));
  const mark = replaced && (literalText(replaced.value) ?? "{}");
  const command = parsed.operands.length > 0 ? parsed.operands : [wordFromText("echo")];
  const words = mark
    ? command.map((word) => withInput(word, mark, origin))
    : [...command, unknownWord(origin, true)];
  const isMarkKnown = !replaced?.value || literalText(replaced.value) !== undefined;
  if (mark === "" || !isMarkKnown) found(call, "opaque", "xargs has no known mark for its input");
  call.walk.runWords(words, { ...call, input: { type: "text", text: undefined } });
  return undefined;
};

function withInput(word: ShellWord, mark: string, origin: Origin): ShellWord {
  const text = literalText(word);
  if (text === undefined || !text.includes(mark)) return word;
  return text === mark ? unknownWord(origin) : unknownWord();
}
