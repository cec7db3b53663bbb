import { resolveReal, absolutePaths } from "../location.ts";
import {
  isSplit,
  knownStart,
  literalText,
  originOf,
  type ShellWord,
  wordFromText,
} from "../shell/shell-word.ts";
import { flowOf, forgotten, type State, withVariable } from "../shell/state.ts";
import { isVariableName, mayAssign, mayExport } from "../shell/variable-name.ts";
import { type Call, found, type Program, reads } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";

/** `cd` to a place that is known moves there if it succeeds, and stays if it does not. */
const cd: Program = (call) => {
  const args = call.args.filter((word) => !/^(?:-[LPe]|--)$/.test(literalText(word) ?? ""));
  const [word, ...more] = args;
  const place = word ? literalText(word) : call.walk.facts.home;
  const isPlain = more.length === 0 && place !== undefined && place !== "" && !/^[-+]/.test(place);
  found(call, "inspect", "changes the directory");
  call.walk.reliance.movesDirectory = true;
  // Many programs read or run what is in the directory without naming it; back with `-` is where it was.
  if (isPlain) reads(call, wordFromText(place));
  else if (place !== "-") call.walk.report({ type: "path", access: "read", subject: call.subject });
  if (!isPlain) return { ok: { ...call.state, cwds: undefined }, failed: call.state };
  return { ok: movedTo(place, call), failed: call.state };
};

function movedTo(place: string, { state, walk }: Call): State {
  try {
    const cwds = absolutePaths(place, state.cwds)?.map((path) =>
      resolveReal(path, walk.facts.realPath),
    );
    return { ...state, cwds };
  } catch {
    return { ...state, cwds: undefined };
  }
}

/** `export A=b`, `local x`, `declare -r y=z`. */
function declaration(flags: RegExp, isExport: boolean): Program {
  return (call) => {
    let { state } = call;
    let isExported = isExport;
    for (const word of call.args) {
      const start = knownStart(word);
      if (start.startsWith("-")) {
        if (!flags.test(literalText(word) ?? ""))
          found(call, "opaque", `${call.name} ${start} is not judged`);
        if (start.includes("x")) isExported = true;
        continue;
      }
      const [, name = "", sign] = /^([^=+]*)(\+?=)?/.exec(start) ?? [];
      const isAllowed = isExported
        ? mayExport(name) || (/^[a-z]/.test(name) && mayAssign(name))
        : mayAssign(name);
      if (!isVariableName(name))
        found(call, "opaque", `${call.name} sets a variable that is not known`);
      else if (!isAllowed)
        found(call, "environment", `setting ${name} can change what programs do`);
      // In a function, a name alone becomes a new variable that is not set.
      if (sign !== undefined || call.name !== "export") {
        // Outside of a function, `local` fails and sets nothing.
        const isSet = sign !== undefined && call.name !== "local";
        const value = isSet ? valueOf(word, start.indexOf("=") + 1, sign) : undefined;
        state = withVariable(state, name, value);
      }
    }
    if (call.args.length === 0)
      found(call, "secret", "it prints all variables, which may hold secrets");
    else found(call, "inspect", "sets variables");
    return flowOf(state);
  };
}

function valueOf(word: ShellWord, start: number, sign: string): ShellWord | undefined {
  if (sign !== "=" || isSplit(word)) return undefined;
  const [first, ...rest] = word.pieces;
  if (first?.type !== "text" || first.text.length < start) return undefined;
  return { pieces: [{ type: "text", text: first.text.slice(start) }, ...rest] };
}

const readOptions = optionTable("r s e a: d: n: N: p: t: u:");

const read: Program = (call) => {
  const parsed = parseCall(call.args, readOptions);
  reportOptions(call, parsed, readOptions);
  const array = parsed.options.flatMap(({ name, value }) => (name === "a" && value ? [value] : []));
  return flowOf(forgetting([...parsed.operands, ...array], call));
};

/** `unset x` removes the function of that name where there is no such variable. */
const unset: Program = (call) => {
  const words = call.args.filter((word) => literalText(word) !== "-v");
  for (const word of words) call.walk.reliance.unsetNames.add(literalText(word) ?? "");
  return flowOf(forgetting(words, call));
};

/** The state when variables have values that are not known; the names must be plain, or they run commands. */
function forgetting(words: readonly ShellWord[], call: Call): State {
  let { state } = call;
  for (const word of words) {
    const name = literalText(word) ?? "";
    if (!isVariableName(name))
      found(call, "opaque", `${call.name} sets a variable that is not known`);
    else if (!mayAssign(name) && name !== "REPLY") {
      found(call, "environment", `setting ${name} can change what programs do`);
    }
    state = withVariable(state, name, undefined);
  }
  found(call, "inspect", "sets variables");
  return state;
}

const set: Program = (call) => {
  const texts = call.args.map(literalText);
  const isPlain = texts.every(
    (text) =>
      text !== undefined &&
      /^(?:[-+][euxvCf]*o?|pipefail|errexit|nounset|xtrace|noclobber)$/.test(text),
  );
  if (!isPlain || texts.length === 0) found(call, "opaque", "set changes how the shell works");
  return undefined;
};

/** `printf -v` and `%n` set variables; other formats print. */
const printf: Program = (call) => {
  const isSeparated = literalText(call.args[0]) === "--";
  const [first, ...values] = isSeparated ? call.args.slice(1) : call.args;
  const text = first ? knownStart(first) : "";
  const isFormat =
    first !== undefined &&
    !isSplit(first) &&
    (isSeparated || !text.startsWith("-")) &&
    (text !== "" || literalText(first) === "");
  const isWhole = literalText(first) !== undefined || values.length === 0;
  if (!isFormat || !isWhole || /%[-+ #0-9.*'hjlLtz]*n/.test(text))
    found(call, "opaque", "printf's format is not known");
  else found(call, "inspect", "prints text");
  return undefined;
};

const numberOnly: Program = (call) => {
  const isPlain = call.args.every(
    (word) => /^\d*$/.test(literalText(word) ?? "x") || originOf(word) === "number",
  );
  if (!isPlain) found(call, "opaque", `${call.name} takes a number`);
  return undefined;
};

/** Builtins that print; `jobs -x` runs a command, and names with an index in them run others. */
const harmless: Program = (call) => {
  const isPlain = call.args.every((word) => /^-[lpLPrs]$/.test(literalText(word) ?? ""));
  if (!isPlain) found(call, "opaque", `${call.name} has arguments that are not judged`);
  found(call, "inspect", `${call.name} changes nothing outside the shell`);
  return undefined;
};

const notJudged: Program = (call) => {
  call.walk.reliance.movesDirectory = true;
  found(call, "opaque", `${call.name} changes how the shell works`);
  return flowOf(forgotten(call.state));
};

export const builtinPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["cd", cd],
  ["export", declaration(/^-$/, true)],
  ["declare", declaration(/^-x$/, false)],
  ["typeset", declaration(/^-x$/, false)],
  ["local", declaration(/^-$/, false)],
  ["read", read],
  ["unset", unset],
  ["set", set],
  ["printf", printf],
  ...["exit", "return", "break", "continue", "shift", "wait"].map((name): [string, Program] => [
    name,
    numberOnly,
  ]),
  ...["jobs", "times", "pwd", "dirs", "caller", "help"].map((name): [string, Program] => [
    name,
    harmless,
  ]),
  ..."mapfile readarray readonly pushd popd shopt alias unalias enable bind complete compopt compgen hash getopts let umask ulimit history fc disown suspend logout bg fg coproc select autoload zmodload"
    .split(" ")
    .map((name): [string, Program] => [name, notJudged]),
]);
