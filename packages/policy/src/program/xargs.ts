import {
  literalText,
  pathsWord,
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
  const isFromFile = parsed.options.some(({ name }) => /^(?:a|arg-file)$/.test(name));
  const places = call.input.type === "pipe" && !isFromFile ? call.input.places : undefined;
  const replaced = parsed.options.findLast(({ name }) => /^(?:I|i|replace)$/.test(name));
  const mark = replaced && (literalText(replaced.value) ?? "{}");
  const command = parsed.operands.length > 0 ? parsed.operands : [wordFromText("echo")];
  const words = mark
    ? command.map((word) => withInput(word, mark, places))
    : [...command, inputWord(places)];
  const isMarkKnown = !replaced?.value || literalText(replaced.value) !== undefined;
  if (mark === "" || !isMarkKnown) found(call, "opaque", "xargs has no known mark for its input");
  call.walk.runWords(words, { ...call, input: { type: "text", text: undefined } });
  return undefined;
};

/** Its input is split at blanks and quotes. */
function inputWord(places: readonly string[] | undefined): ShellWord {
  return places ? pathsWord(places, true) : unknownWord("any", true);
}

function withInput(
  word: ShellWord,
  mark: string,
  places: readonly string[] | undefined,
): ShellWord {
  const text = literalText(word);
  if (text === undefined || !text.includes(mark)) return word;
  return text === mark && places ? pathsWord(places, true) : unknownWord();
}
