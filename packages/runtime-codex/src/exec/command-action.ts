import type { CommandAction } from "../protocol/item.ts";

/**
 * What a simple command reads, as the app-server reports it and `codex exec` does not. Nothing for
 * any other command: one with a pipe, a redirection, a variable or an option that is not known here.
 */
export function actionsFrom(command: string): CommandAction[] {
  const words = wordsOf(command);
  const [program = "", ...rest] = words ?? [];
  const action = words && Object.hasOwn(readers, program) ? readers[program]?.(rest) : undefined;
  return action ? [action] : [];
}

type Reader = (words: readonly string[]) => CommandAction | undefined;

const readers: Readonly<Record<string, Reader>> = {
  cat: (words) => read(operands(words, /^-[nAbestTuv]+$/)),
  nl: (words) => read(operands(words, /^-ba$/)),
  head: (words) => read(operands(withoutCount(words), /^-\d+$/)),
  tail: (words) => read(operands(withoutCount(words), /^-\d+$/)),
  sed: ([option, range = "", ...files]) =>
    option === "-n" && /^\d+(,(\d+|\$))?p$/.test(range) ? read(operands(files)) : undefined,
  rg: (words) => search(operands(words, /^-[nilSFw]+$/)),
  grep: (words) => search(operands(words, /^-[rRnilEFw]+$/)),
  ls: (words) => list(operands(words, /^-[alhR1A]+$/)),
};

function read(files: readonly string[] | undefined): CommandAction | undefined {
  const [path] = files ?? [];
  return files?.length === 1 && path !== undefined ? { type: "read", path } : undefined;
}

function search(words: readonly string[] | undefined): CommandAction | undefined {
  if (!words || words.length === 0 || words.length > 2) return undefined;
  const [query, path] = words;
  return { type: "search", query, path };
}

function list(words: readonly string[] | undefined): CommandAction | undefined {
  return words && words.length <= 1 ? { type: "listFiles", path: words[0] } : undefined;
}

/** The words that are not options; undefined where one of these is not known. */
function operands(words: readonly string[], known?: RegExp): string[] | undefined {
  const options = words.filter((word) => word.startsWith("-"));
  return options.every((option) => known?.test(option))
    ? words.filter((word) => !word.startsWith("-"))
    : undefined;
}

function withoutCount(words: readonly string[]): readonly string[] {
  const isCounted = (words[0] === "-n" || words[0] === "-c") && /^\+?\d+$/.test(words[1] ?? "");
  return isCounted ? words.slice(2) : words;
}

/** The words of a command that a shell would take as they stand; undefined for any other. */
function wordsOf(command: string): string[] | undefined {
  const word = /[ \t]*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\|&;<>(){}*?[\]~#!]+))(?=[ \t]|$)/y;
  const words: string[] = [];
  const text = command.trim();
  while (word.lastIndex < text.length) {
    const found = word.exec(text);
    if (!found) return undefined;
    words.push(found[1] ?? found[2] ?? found[3] ?? "");
  }
  return words;
}
