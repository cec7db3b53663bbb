import {
  hasGlob,
  isSplit,
  knownStart,
  literalText,
  mayBeOption,
  type ShellWord,
  wordFromText,
} from "../shell/shell-word.ts";
import { type Call, found, reads, writes } from "./call.ts";

/** The role of an argument of a program. */
export type ArgumentKind =
  | "text"
  | "read"
  | "write"
  /** A file that names other files, or options. */
  | "names"
  /** Given with `=` or not at all. */
  | "attached"
  /** A name, and a value or a file after it. */
  | "pair";

export interface OptionTable {
  readonly values: ReadonlyMap<string, ArgumentKind>;
  readonly flags: ReadonlySet<string>;
  /** No other option can write, run or reach anything. */
  readonly isOpen: boolean;
  /** Long options begin with one dash: `-name`. */
  readonly hasSingleDash: boolean;
}

/**
 * Reads a table: `n:text` is an option with a value, `q` one without, `*` all others;
 * one letter means `-n`, more mean `--lines`. `find`-like programs have `-name` throughout.
 */
export function optionTable(text: string, hasSingleDash = false): OptionTable {
  const values = new Map<string, ArgumentKind>();
  const flags = new Set<string>();
  let isOpen = false;
  for (const item of text.split(/\s+/)) {
    const [name = "", kind] = item.split(":");
    if (name === "*") isOpen = true;
    else if (kind === undefined) flags.add(name);
    else if (name !== "") values.set(name, kind === "" ? "text" : (kind as ArgumentKind));
  }
  return { values, flags, isOpen, hasSingleDash };
}

export interface GivenOption {
  readonly name: string;
  readonly value?: ShellWord;
}

export interface ParsedCall {
  readonly options: readonly GivenOption[];
  readonly operands: readonly ShellWord[];
  /** The first argument that is not an option of the table. */
  readonly unknown?: string;
}

interface ParseOptions {
  /** Everything from the first operand on belongs to another command. */
  readonly stopsAtOperand?: boolean;
}

/** Splits arguments as getopt does. */
export function parseCall(
  args: readonly ShellWord[],
  table: OptionTable,
  { stopsAtOperand = false }: ParseOptions = {},
): ParsedCall {
  const options: GivenOption[] = [];
  const operands: ShellWord[] = [];
  let unknown: string | undefined;
  let index = 0;
  const next = (): ShellWord | undefined => {
    const value = args[(index += 1)];
    if (value && hasGlob(value) && mayBeOption(value) && !table.isOpen)
      unknown ??= "a value that may become options";
    return value;
  };
  for (; index < args.length; index += 1) {
    const word = args[index];
    if (!word) break;
    const start = knownStart(word);
    const isOperand = !start.startsWith("-") || literalText(word) === "-";
    if (isOperand) {
      if (mayBeOption(word) && !table.isOpen) unknown ??= "an argument that may become an option";
      if (stopsAtOperand)
        return { options, operands: args.slice(index), ...(unknown !== undefined && { unknown }) };
      operands.push(word);
      continue;
    }
    if (literalText(word) === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    const isLong = start.startsWith("--") || table.hasSingleDash;
    const problem = isLong
      ? readLong(word, { table, options, next })
      : readShort(word, { table, options, next });
    unknown ??= problem;
  }
  return { options, operands, ...(unknown !== undefined && { unknown }) };
}

interface Reading {
  readonly table: OptionTable;
  readonly options: GivenOption[];
  readonly next: () => ShellWord | undefined;
}

/** A long option may be cut short; where other options are known to be harmless, that matters. */
function wholeName(name: string, { values, flags, isOpen }: OptionTable): string {
  if (!isOpen || name === "" || values.has(name) || flags.has(name)) return name;
  return [...values.keys()].find((key) => key.length > 1 && key.startsWith(name)) ?? name;
}

function readLong(word: ShellWord, { table, options, next }: Reading): string | undefined {
  const start = knownStart(word);
  const sign = start.indexOf("=");
  const isWhole = literalText(word) !== undefined;
  if (sign < 0 && !isWhole) return `${start}…`;
  const name = wholeName((sign < 0 ? start : start.slice(0, sign)).replace(/^--?/, ""), table);
  const attached = sign < 0 ? undefined : after(word, sign + 1);
  const kind = table.values.get(name);
  if (kind !== undefined) {
    const first = attached ?? (kind === "attached" ? undefined : next());
    const value = kind === "pair" ? next() : first;
    options.push({ name, ...(value && { value }) });
    return !value && kind !== "attached" ? `--${name} without its value` : undefined;
  }
  options.push({ name, ...(attached && { value: attached }) });
  if (table.flags.has(name) || table.isOpen) return undefined;
  return `the option ${start}`;
}

function readShort(word: ShellWord, { table, options, next }: Reading): string | undefined {
  const start = knownStart(word);
  for (let index = 1; index < start.length; index += 1) {
    const name = start[index] ?? "";
    const kind = table.values.get(name);
    const isLast = index + 1 === start.length && literalText(word) !== undefined;
    if (kind !== undefined) {
      const value = isLast ? (kind === "attached" ? undefined : next()) : after(word, index + 1);
      options.push({ name, ...(value && { value }) });
      return !value && kind !== "attached" ? `-${name} without its value` : undefined;
    }
    options.push({ name });
    if (/\d/.test(name) && (table.flags.has("#") || table.isOpen)) continue;
    if (!table.flags.has(name) && !table.isOpen) return `the option -${name}`;
  }
  return literalText(word) === undefined && !table.isOpen ? `${start}…` : undefined;
}

/** The rest of a word from a place in its known start. */
function after(word: ShellWord, place: number): ShellWord {
  let left = place;
  const pieces = word.pieces.flatMap((piece) => {
    if (left === 0 || piece.type !== "text") return [piece];
    const cut = Math.min(left, piece.text.length);
    left -= cut;
    const text = piece.text.slice(cut);
    return text === "" ? [] : [{ ...piece, text }];
  });
  return pieces.length === 0 ? wordFromText("") : { pieces };
}

/** Reports the paths in options, and the first thing that is not known. */
export function reportOptions(call: Call, parsed: ParsedCall, table: OptionTable): void {
  if (parsed.unknown !== undefined) {
    found(
      call,
      "opaque",
      `${call.name} is given ${parsed.unknown}, which the evaluator does not know`,
    );
  }
  for (const { name, value } of parsed.options) {
    if (!value) continue;
    const kind = table.values.get(name);
    if (kind === "read" || (kind === "pair" && name.endsWith("file"))) reads(call, value);
    else if (kind === "write") writes(call, value);
    else if (kind === "names") found(call, "opaque", `${call.name} reads what another file names`);
    else if (kind === undefined && table.isOpen) reads(call, value);
    if (isSplit(value) && !table.isOpen) {
      found(call, "opaque", `the value of ${name} may become further options`);
    }
  }
}

/** Whether a text that may be a path would be one far from here. */
export function leadsElsewhere(word: ShellWord): boolean {
  return /^(?:\/|~|\.\.(?:\/|$))/.test(knownStart(word));
}

/** Reports operands: the kinds in order, the last one for all that follow. */
export function reportOperands(
  call: Call,
  operands: readonly ShellWord[],
  kinds: readonly ArgumentKind[],
): void {
  // Once a word may become several, the kinds no longer fit: it and all after it count as each of them.
  let isShifted = false;
  for (const [index, operand] of operands.entries()) {
    isShifted ||= kinds.length > 1 && operand.pieces.some(({ type }) => type !== "text");
    const kind = kinds[Math.min(index, kinds.length - 1)];
    if (kind === "write" || (isShifted && kinds.includes("write"))) writes(call, operand);
    else if (kind === "read" || (isShifted && kinds.includes("read"))) reads(call, operand);
  }
}
