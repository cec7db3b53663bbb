import { posix } from "node:path";

/** The facts of a tool use that only reads files; of several readings none has the whole place. */
export interface FileRead {
  readonly is_file_read: true;
  readonly file_path?: string;
  readonly pattern?: string;
  readonly search_path?: string;
}

/**
 * What a shell command reads, where it does nothing else: one program, a pipe through filters, or a list
 * of these. Undefined for any other command: one with a program, an option, a substitution or a
 * redirection that is not known here. For display only; nothing is allowed because of it. `file_path` is
 * absolute where `cwd` is known; searched places stay as they were written.
 */
export function fileReadFrom(command: string, cwd?: string): FileRead | undefined {
  const tokens = tokensFrom(command);
  const steps = tokens && split(tokens, ["&&", "||", ";"]);
  if (!steps) return undefined;
  let directory = "";
  const readings: Reading[] = [];
  for (const step of steps) {
    const [program, target, ...more] = wordsOf(step);
    if (program === "cd" && target !== undefined && more.length === 0) {
      directory = join(directory, target);
    } else if (step.length !== 1 || program !== "true") {
      const reading = readPipe(step);
      if (!reading) return undefined;
      readings.push(within(directory, reading));
    }
  }
  const [only, ...others] = readings;
  if (!only) return undefined;
  return { is_file_read: true, ...(others.length === 0 && factsOf(only, cwd)) };
}

type Operator = "|" | "&&" | "||" | ";";

interface Word {
  readonly text: string;
  /** Whether the shell would put file names in its place. */
  readonly isGlob: boolean;
}

type Token = Word | Operator;

interface Reading {
  readonly type: "read" | "search";
  /** Undefined where it is the working directory, or several. */
  readonly path?: string | undefined;
  readonly pattern?: string | undefined;
}

interface Program {
  /** Options without a value, short ones as letters that can be joined. */
  readonly flags: RegExp;
  /** Options that take the next word. */
  readonly valued?: RegExp;
  readonly reading: (operands: readonly Word[], options: readonly string[]) => Reading | undefined;
  /** Whether it only passes on what a pipe gives it; absent: it has no place there. */
  readonly isFilter?: (operands: readonly Word[]) => boolean;
}

const noOperands = (operands: readonly Word[]): boolean => operands.length === 0;

const contents = (flags: RegExp, valued?: RegExp): Program => ({
  flags,
  ...(valued && { valued }),
  reading: (operands) =>
    operands.length > 0 ? { type: "read", path: onlyPath(operands) } : undefined,
  isFilter: noOperands,
});

const listing = (flags: RegExp, valued?: RegExp): Program => ({
  flags,
  ...(valued && { valued }),
  reading: (operands) => ({ type: "search", path: onlyPath(operands) }),
});

const counted = contents(/^(-\d+|-[nc]\+?\d+|-[qvzf]|--(lines|bytes)=\+?\d+)$/, /^-[nc]$/);

const grep: Program = {
  flags:
    /^(-[rRnilEFGPwxcovqsHhIazLUSuNj]+|-[ABCm]\d+|--(include|exclude|exclude-dir|color|glob|type|context|max-count|after-context|before-context)=.*|--(recursive|line-number|ignore-case|files-with-matches|no-heading|hidden|count|only-matching|fixed-strings|word-regexp|no-ignore|heading))$/,
  valued: /^(-[ABCmgt]|--(glob|type|include|exclude))$/,
  reading: ([pattern, ...paths]) =>
    pattern && { type: "search", pattern: pattern.text, path: onlyPath(paths) },
  isFilter: (operands) => operands.length === 1,
};

const find = /^(-i?name|-i?path|-type|-(max|min)depth|-size|-[mac](time|min)|-newer|-i?regex)$/;

const programs: Readonly<Record<string, Program>> = {
  cat: contents(/^-[nAbestTuv]+$/),
  nl: contents(/^-(ba|n(ln|rn|rz)|w\d+)$/),
  less: contents(/^-[NRSFXiIn]+$/),
  more: contents(/^-\d+$/),
  wc: contents(/^(-[lwcmL]+|--(lines|words|bytes|chars))$/),
  head: counted,
  tail: counted,
  stat: contents(/^(-[Ltfx]+|--(format|printf)=.*)$/, /^(-[cf]|--format|--printf)$/),
  file: contents(/^(-[bikLhsz]+|--(brief|mime|mime-type|mime-encoding))$/),
  sed: {
    flags: /^-n$/,
    reading: ([range, ...files], options) => {
      const isRange = /^\d+(,(\d+|\$))?p$/.test(range?.text ?? "") && options.includes("-n");
      return isRange && files.length > 0 ? { type: "read", path: onlyPath(files) } : undefined;
    },
    isFilter: ([range, ...files]) =>
      files.length === 0 && /^\d+(,(\d+|\$))?p$/.test(range?.text ?? ""),
  },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    ...grep,
    flags: new RegExp(`${grep.flags.source}|^--files$`),
    reading: (operands, options) =>
      options.includes("--files")
        ? { type: "search", path: onlyPath(operands) }
        : grep.reading(operands, options),
  },
  ls: listing(/^(-[a-zA-Z1]+|--(color|sort|time)(=.*)?|--(all|recursive|human-readable))$/),
  tree: listing(/^(-[adfhisDupFCnr]+|-L\d+|--(dirsfirst|noreport|gitignore))$/, /^-[LIP]$/),
  find: {
    flags: /^(-(print0?|empty|not|o|or|a|and|follow|daystart|prune|[HLP])|!)$/,
    valued: find,
    reading: (operands, options) => {
      if (operands.some(({ isGlob }) => isGlob)) return undefined;
      const named = options.findIndex((option) => /^-i?(name|path|regex)$/.test(option));
      return {
        type: "search",
        path: onlyPath(operands),
        pattern: named < 0 ? undefined : options[named + 1],
      };
    },
  },
};

/** Programs that only pass on the output of another, by the options that keep it so. */
const filters: Readonly<Record<string, RegExp>> = {
  sort: /^-[nrufhVbk\d,t:]+$/,
  uniq: /^-[cdui]+$/,
  cut: /^-[dfc].*$/,
  column: /^-[ts]+$/,
  tac: /^$/,
  rev: /^$/,
};

function readPipe(step: readonly Token[]): Reading | undefined {
  const [first, ...rest] = (split(step, ["|"]) ?? []).map(wordObjects);
  const reading = first && readProgram(first);
  if (!reading) return undefined;
  let pattern: string | undefined;
  for (const stage of rest) {
    const [name, ...words] = stage;
    if (!name || !isFilter(name.text, words)) return undefined;
    const parsed = known(name.text)?.valued === grep.valued && parse(grep, words);
    if (parsed) pattern ??= parsed.operands[0]?.text;
  }
  return reading.pattern === undefined ? { ...reading, pattern } : reading;
}

function readProgram([name, ...words]: readonly Word[]): Reading | undefined {
  const program = name && known(name.text);
  const parsed = program && parse(program, words);
  return parsed && program.reading(parsed.operands, parsed.options);
}

function isFilter(name: string, words: readonly Word[]): boolean {
  const plain = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (plain) return words.every(({ text }) => plain.test(text));
  const program = known(name);
  const parsed = program?.isFilter && parse(program, words);
  return Boolean(parsed && program.isFilter?.(parsed.operands));
}

function known(name: string): Program | undefined {
  return Object.hasOwn(programs, name) ? programs[name] : undefined;
}

/** Options with their values, and operands; undefined where an option is not known. */
function parse(
  { flags, valued }: Program,
  words: readonly Word[],
): { options: string[]; operands: Word[] } | undefined {
  const options: string[] = [];
  const operands: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (!word) break;
    const { text } = word;
    if (!/^(-.|!$)/.test(text)) operands.push(word);
    else if (valued?.test(text)) options.push(text, words[++index]?.text ?? "");
    else if (flags.test(text)) options.push(text);
    else return undefined;
  }
  return { options, operands };
}

function onlyPath(operands: readonly Word[]): string | undefined {
  const [only] = operands;
  return operands.length === 1 && only && !only.isGlob ? only.text : undefined;
}

function within(directory: string, reading: Reading): Reading {
  const path = reading.path ?? (reading.type === "search" && directory ? "" : undefined);
  return path === undefined ? reading : { ...reading, path: join(directory, path) };
}

function join(directory: string, path: string): string {
  if (directory === "" || posix.isAbsolute(path)) return path;
  return path === "" ? directory : posix.join(directory, path);
}

function factsOf({ type, path, pattern }: Reading, cwd = ""): Omit<FileRead, "is_file_read"> {
  return {
    ...(pattern !== undefined && { pattern }),
    ...(type === "read" && path !== undefined && { file_path: join(cwd, path) }),
    ...(type === "search" && path !== undefined && { search_path: path }),
  };
}

/** The words and operators of a command; undefined where a shell would put anything else in their place. */
function tokensFrom(command: string): Token[] | undefined {
  const token =
    /[ \t]*(?:(\|\||&&|[|;])|(2>(?:\/dev\/null|&1))(?=[ \t|;&]|$)|'([^']*)'(?=[ \t|;&]|$)|"([^"$`\\]*)"(?=[ \t|;&]|$)|([^\s'"$`\\|&;<>(){}~#]+)(?=[ \t|;&]|$))/y;
  const tokens: Token[] = [];
  const text = command.trim();
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) return undefined;
    const [, operator, redirection, single, double, plain] = found;
    if (operator !== undefined) tokens.push(operator as Operator);
    else if (redirection === undefined) {
      const isGlob = plain !== undefined && /[*?[\]]/.test(plain);
      tokens.push({ text: single ?? double ?? plain ?? "", isGlob });
    }
  }
  return tokens;
}

/** The parts between operators; undefined where one is missing. A list may end with `;`. */
function split(
  tokens: readonly Token[],
  operators: readonly Operator[],
): readonly Token[][] | undefined {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (typeof token === "string" && operators.includes(token)) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  if (tokens.at(-1) === ";") parts.pop();
  return parts.every(({ length }) => length > 0) ? parts : undefined;
}

function wordObjects(tokens: readonly Token[]): Word[] {
  return tokens.filter((token) => typeof token !== "string");
}

function wordsOf(tokens: readonly Token[]): string[] {
  return tokens.map((token) => (typeof token === "string" ? token : token.text));
}
