import { literalText, type ShellWord } from "./shell-word.ts";

/** The knowledge at one point of a script; immutable. */
export interface State {
  /** The directories it may be in; undefined: any. */
  readonly cwds: readonly string[] | undefined;
  /** Variables whose value is known, at least in part. */
  readonly variables: ReadonlyMap<string, ShellWord>;
  /** Functions that are defined for certain; in any other case the name may be a program's. */
  readonly functions: ReadonlySet<string>;
}

/** The states after a command, by whether it succeeded. */
export interface Flow {
  readonly ok: State;
  readonly failed: State;
  /** Its output is a list of paths below these places. */
  readonly places?: readonly string[];
}

const maxCwds = 8;

export function flowOf(state: State): Flow {
  return { ok: state, failed: state };
}

export function afterEither({ ok, failed }: Flow): State {
  return joinStates(ok, failed);
}

/** Where a redirection fails, bash does not run the command at all. */
export function unlessSkipped(flow: Flow, before: State, redirections: readonly unknown[]): Flow {
  if (redirections.length === 0) return flow;
  return { ...flow, failed: joinStates(flow.failed, before) };
}

/** The knowledge where either of two states may hold. */
export function joinStates(first: State, second: State): State {
  if (first === second) return first;
  return {
    cwds: joinCwds(first.cwds, second.cwds),
    variables:
      first.variables === second.variables
        ? first.variables
        : joinVariables(first.variables, second.variables),
    functions:
      first.functions === second.functions
        ? first.functions
        : new Set([...first.functions].filter((name) => second.functions.has(name))),
  };
}

function joinCwds(first: State["cwds"], second: State["cwds"]): State["cwds"] {
  if (first === second) return first;
  if (!first || !second) return undefined;
  const all = [...new Set([...first, ...second])];
  return all.length > maxCwds ? undefined : all;
}

function joinVariables(first: State["variables"], second: State["variables"]) {
  return new Map([...first].filter(([name, word]) => isSameWord(word, second.get(name))));
}

function isSameWord(first: ShellWord, second: ShellWord | undefined): boolean {
  if (first === second) return true;
  const text = literalText(first);
  return text !== undefined && text === literalText(second);
}

const maxPieces = 16;
const maxTextLength = 4_096;

/** A value that grows with every assignment is soon not worth knowing. */
function isSmall({ pieces }: ShellWord): boolean {
  if (pieces.length > maxPieces) return false;
  return pieces.every((piece) => piece.type !== "text" || piece.text.length <= maxTextLength);
}

export function withVariable(state: State, name: string, word: ShellWord | undefined): State {
  const variables = new Map(state.variables);
  if (word && isSmall(word)) variables.set(name, word);
  else variables.delete(name);
  return { ...state, variables };
}

export function withoutVariables(state: State, names: Iterable<string>): State {
  const variables = new Map(state.variables);
  for (const name of names) variables.delete(name);
  return { ...state, variables };
}

/** Where a script starts: nothing is set yet. */
export function startIn(cwds: State["cwds"]): State {
  return { cwds, variables: new Map(), functions: new Set() };
}

/** Neither directory nor variables are known: the inside of a function, a trap. */
export function forgotten({ functions }: State): State {
  return { cwds: undefined, variables: new Map(), functions };
}
