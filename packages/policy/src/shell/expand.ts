import type {
  ArithmeticExpansionPart,
  ArithmeticExpression,
  ParameterExpansionPart,
  Word,
  WordPart,
} from "unbash";
import { LimitReached } from "../limit-reached.ts";
import { expandBraces } from "./brace.ts";
import {
  literalText,
  type Origin,
  pathsWord,
  type Piece,
  type ShellWord,
  unknownWord,
  wordFromText,
} from "./shell-word.ts";
import type { State } from "./state.ts";
import { isSecretName } from "./variable-name.ts";
import type { Walk } from "./walk.ts";
import { isWhollyRead, notRead } from "./wholly-read.ts";

interface Context {
  readonly walk: Walk;
  readonly state: State;
  /** In an assignment, a here-document or a `case`: no splitting, no globs, no braces. */
  readonly isWhole?: boolean;
}

const maxWords = 256;
const maxParts = 500;
const maxArithmeticLength = 500;

/** The words that one written word becomes; everything in it that runs is evaluated on the way. */
export function expandWord(word: Word, context: Context): readonly ShellWord[] {
  context.walk.countWord();
  if (!isWhollyRead(word)) opaque(context, word, notRead);
  const parts = word.parts;
  if (!parts) return [tilded(word.text, wordFromText(word.value), context)];
  if (parts.length > maxParts) throw new LimitReached("a word has too many parts");
  let words: { readonly pieces: Piece[] }[] = [{ pieces: [] }];
  for (const [index, part] of parts.entries()) {
    if (parts[index + 1]?.type === "BraceExpansion" && part.type === "SimpleExpansion") {
      opaque(context, word, "its braces are expanded first and become part of the name");
    }
    const options = expandPart(part, context, false);
    const [only, ...more] = options;
    if (words.length * options.length > maxWords) {
      opaque(context, part, "it has too many braces");
      return [unknownWord("any", true)];
    }
    if (only && more.length === 0) for (const { pieces } of words) pieces.push(...only);
    else {
      words = words.flatMap(({ pieces }) =>
        options.map((added) => ({ pieces: [...pieces, ...added] })),
      );
    }
  }
  const [first] = parts;
  return first?.type === "Literal"
    ? words.map((expanded) => tilded(first.text, expanded, context))
    : words;
}

/** A word that stays one word. */
export function expandWhole(word: Word, context: Context): ShellWord {
  const [first, ...more] = expandWord(word, { ...context, isWhole: true });
  return first && more.length === 0 ? first : unknownWord("any", true);
}

/** Text of a here-document. */
export function expandParts(parts: readonly WordPart[], context: Context): ShellWord {
  const whole = { ...context, isWhole: true };
  return { pieces: parts.flatMap((part) => expandPart(part, whole, true)[0] ?? []) };
}

function tilded(source: string, word: ShellWord, { walk }: Context): ShellWord {
  if (!source.startsWith("~")) return word;
  const [first, ...rest] = word.pieces;
  const isHome = /^~(?:\/|$)/.test(source) && first?.type === "text";
  const { home } = walk.facts;
  if (!isHome || home === undefined || (source === "~" && rest.length > 0)) return unknownWord();
  return { pieces: [{ type: "text", text: home + first.text.slice(1) }, ...rest] };
}

function opaque({ walk }: Context, { text }: { readonly text: string }, reason: string): void {
  walk.reportKind("opaque", text, reason);
}

const text = (value: string): readonly Piece[][] => [[{ type: "text", text: value }]];
const unknown = (origin: Origin, isQuoted: boolean): Piece[][] => [
  [{ type: "unknown", origin, isSplit: !isQuoted }],
];
const glob = (part: "one" | "many", canStartWithDot: boolean): Piece[][] => [
  [{ type: "glob", part, canStartWithDot }],
];

/** The expansions of a part of a word: one list of pieces for each word that it becomes. */
function expandPart(part: WordPart, context: Context, isQuoted: boolean): readonly Piece[][] {
  const isWhole = context.isWhole === true || isQuoted;
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return text(part.value);
    case "AnsiCQuoted":
      // Bash cuts it at a zero byte, and puts bytes together to characters.
      if (!/^[\n\t\x20-\x7e]*$/.test(part.value))
        opaque(context, part, "it has escapes that are not judged");
      return text(part.value);
    case "LocaleString":
      opaque(context, part, "its text may be translated");
      return unknown("any", true);
    case "DoubleQuoted":
      return [part.parts.flatMap((child) => expandPart(child, context, true)[0] ?? [])];
    case "SimpleExpansion":
      return expandVariable(part.text.slice(1), context, isWhole);
    case "ParameterExpansion":
      return expandParameter(part, context, isWhole);
    case "CommandExpansion": {
      if (!part.script) {
        opaque(context, part, "its command cannot be read");
        return unknown("any", isWhole);
      }
      const { places } = context.walk.runScript(part.script, context.state);
      return places ? [[...pathsWord(places, !isWhole).pieces]] : unknown("any", isWhole);
    }
    case "ProcessSubstitution":
      if (!part.script) opaque(context, part, "its command cannot be read");
      else context.walk.runScript(part.script, context.state, { type: "pipe" });
      return text("/dev/fd/63");
    case "ArithmeticExpansion":
      if (part.text.length > maxArithmeticLength || !isPlainExpansion(part, context.state)) {
        opaque(context, part, "arithmetic with names or text can run commands");
      }
      return unknown("number", true);
    case "Glob":
      if (part.parts?.some(({ type }) => type !== "Literal")) {
        opaque(context, part, "its pattern is computed");
      }
      if (isWhole) return text(part.value);
      return glob(part.kind === "star" ? "many" : "one", false);
    case "ExtendedGlob":
      if (/[$`<>'"\\]/.test(part.text)) opaque(context, part, "its pattern is computed");
      return isWhole ? unknown("any", true) : glob("many", true);
    case "BraceExpansion": {
      if (isWhole) return text(part.text);
      const words = expandBraces(part.text);
      if (words) return words.map((value) => [{ type: "text", text: value }]);
      opaque(context, part, "its braces cannot be expanded safely");
      return unknown("any", false);
    }
    default:
      opaque(context, { text: "" }, "it has a part that the evaluator does not know");
      return unknown("any", false);
  }
}

/** `$?`, `$#`, `$$`, `$!`: digits. */
const numeric = new Set(["?", "#", "$", "!"]);

function expandVariable(name: string, context: Context, isQuoted: boolean): readonly Piece[][] {
  if (numeric.has(name)) return unknown("number", isQuoted);
  if (name === "@") return unknown("any", context.isWhole === true);
  const { variables, cwds } = context.state;
  const value = variables.get(name) ?? wellKnown(name, context.walk, cwds);
  if (isSecretName(name) && !value) {
    context.walk.reportKind("secret", `$${name}`, `the variable ${name} may hold a secret`);
  }
  if (!value) return unknown("any", isQuoted);
  if (isQuoted) return [value.pieces.map((piece) => withSplit(piece, false))];
  // Without quotes the shell splits it and looks for globs; nothing at all makes no word.
  const isSplitText = value.pieces.some(
    (piece) => piece.type === "text" && /[\s*?[\]\\!@+|(){}~]/.test(piece.text),
  );
  if (literalText(value) === "" || isSplitText) return unknown("any", false);
  return [value.pieces.map((piece) => withSplit(piece, true))];
}

function withSplit(piece: Piece, isSplit: boolean): Piece {
  return piece.type === "unknown" ? { ...piece, isSplit } : piece;
}

function wellKnown(name: string, { facts }: Walk, cwds: State["cwds"]): ShellWord | undefined {
  if (name === "HOME" && facts.home !== undefined) return wordFromText(facts.home);
  const [cwd, ...more] = cwds ?? [];
  return name === "PWD" && cwd !== undefined && more.length === 0 ? wordFromText(cwd) : undefined;
}

const plainOperand = /^[A-Za-z0-9_./*?:, -]*$/;

function expandParameter(
  part: ParameterExpansionPart,
  context: Context,
  isQuoted: boolean,
): readonly Piece[][] {
  const { parameter, prefix, index, operation } = part;
  const isPlainIndex = !index || /^(?:0|[1-9]\d*|[@*])$/.test(index.text);
  if (!isPlainIndex || prefix === "!" || !/^(?:\w+|[?#$!@*-])$/.test(parameter)) {
    opaque(context, part, "this kind of parameter expansion can run commands");
    return unknown("any", isQuoted);
  }
  if (prefix === "#" && !operation) return unknown("number", isQuoted);
  // `"$@"` and `"${a[@]}"` become any number of words although they are quoted.
  const isOne = context.isWhole === true || (isQuoted && parameter !== "@" && index?.text !== "@");
  if (!operation) {
    return index ? unknown("any", isOne) : expandVariable(parameter, context, isQuoted);
  }
  const isPlain =
    ((operation.type === "Remove" ||
      (operation.type === "Default" && /^:?[-+]$/.test(operation.operator))) &&
      plainOperand.test(operation.operand.text)) ||
    (operation.type === "CaseModification" && !operation.operand) ||
    (operation.type === "Slice" &&
      /^ ?-?(?:0|[1-9]\d*)$/.test(operation.offset.text) &&
      /^(?:|0|[1-9]\d*)$/.test(operation.length?.text ?? ""));
  if (!isPlain || prefix !== undefined)
    opaque(context, part, "this kind of parameter expansion can run commands");
  expandVariable(parameter, context, true);
  return unknown("any", isOne);
}

function isPlainExpansion(part: ArithmeticExpansionPart, state: State): boolean {
  const { expression, text: source } = part;
  return expression ? isPlainArithmetic(expression, state) : /^\$[[(\s\])]*$/.test(source);
}

const number = /^(?:0|[1-9]\d*)$/;

/**
 * Whether it has numbers only: a name in it would be evaluated again, with all that its value says.
 * And whether it can be computed: bash leaves out the rest of the line after an error.
 */
function isPlainArithmetic(expression: ArithmeticExpression, state: State): boolean {
  switch (expression.type) {
    case "ArithmeticBinary":
      return (
        /^(?:[-+*/%]|\*\*|<<|>>|[<>]=?|[=!]=|&&?|\|\|?|\^)$/.test(expression.operator) &&
        isPlainArithmetic(expression.left, state) &&
        isPlainArithmetic(expression.right, state) &&
        (!/^(?:[/%]|\*\*)$/.test(expression.operator) || isPositive(expression.right))
      );
    case "ArithmeticUnary":
      return /^[-+!~]$/.test(expression.operator) && isPlainArithmetic(expression.operand, state);
    case "ArithmeticGroup":
      return isPlainArithmetic(expression.expression, state);
    case "ArithmeticTernary":
      return (
        isPlainArithmetic(expression.test, state) &&
        isPlainArithmetic(expression.consequent, state) &&
        isPlainArithmetic(expression.alternate, state)
      );
    case "ArithmeticWord": {
      const name = /^\$?([A-Za-z_]\w*)$/.exec(expression.value)?.[1];
      const value = name === undefined ? expression.value : literalText(state.variables.get(name));
      return number.test(value ?? "") || /^\$[?#]$/.test(expression.value);
    }
    case "ArithmeticCommandExpansion":
    default:
      return false;
  }
}

function isPositive(expression: ArithmeticExpression): boolean {
  return expression.type === "ArithmeticWord" && /^[1-9]\d*$/.test(expression.value);
}
