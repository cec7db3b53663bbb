import { hasGlob, isSplit, literalText, type ShellWord } from "../shell/shell-word.ts";
import { flowOf, type Flow } from "../shell/state.ts";
import { isVariableName, mayExport } from "../shell/variable-name.ts";
import { type Call, found, type Program } from "./call.ts";
import { optionTable, parseCall, reportOptions } from "./option.ts";
import { runPlainText } from "./shell.ts";

/** Programs that start the command after their own options and operands. */
const wrappers: Readonly<Record<string, { options: string; operands: number }>> = {
  nohup: { options: "", operands: 0 },
  setsid: { options: "c f w ctty fork wait", operands: 0 },
  nice: { options: "n: # adjustment:", operands: 0 },
  timeout: {
    options: "s: k: v signal: kill-after: preserve-status foreground verbose",
    operands: 1,
  },
  gtimeout: {
    options: "s: k: v signal: kill-after: preserve-status foreground verbose",
    operands: 1,
  },
  stdbuf: { options: "i: o: e: input: output: error:", operands: 0 },
  time: {
    options: "p v f: o:write a format: output:write portability verbose append quiet q",
    operands: 0,
  },
};

function wrapper({ options, operands: own }: { options: string; operands: number }): Program {
  const table = optionTable(options);
  return (call) => {
    const parsed = parseCall(call.args, table, { stopsAtOperand: true });
    reportOptions(call, parsed, table);
    return runInner(call, parsed.operands.slice(own));
  };
}

/** Runs the command that another one starts; without one nothing runs. */
function runInner(call: Call, words: readonly ShellWord[]): Flow | undefined {
  if (words.length === 0) {
    found(call, "opaque", `${call.name} has no command`);
    return undefined;
  }
  const { places } = call.walk.runWords(words, call);
  return { ...flowOf(call.state), ...(places && { places }) };
}

const envOptions = optionTable("i u: C:read v 0 ignore-environment unset: chdir:read null debug");

/** `env`: variables, then a command; without one it prints the whole environment. */
const env: Program = (call) => {
  const parsed = parseCall(call.args, envOptions, { stopsAtOperand: true });
  reportOptions(call, parsed, envOptions);
  let index = 0;
  for (; index < parsed.operands.length; index += 1) {
    const word = parsed.operands[index];
    const name = /^([^=]*)=/.exec(word ? startText(word) : "")?.[1];
    if (name === undefined || !word) break;
    if (isSplit(word) || hasGlob(word)) {
      found(call, "opaque", `the value of ${name} may become a command`);
    }
    if (!isVariableName(name) || !mayExport(name)) {
      found(call, "environment", `setting ${name} can change what programs do`);
    }
  }
  const inner = parsed.operands.slice(index);
  if (inner.length === 0) {
    found(call, "secret", "the environment may hold secrets");
    return undefined;
  }
  const hasDirectory = parsed.options.some(({ name }) => name === "C" || name === "chdir");
  const state = hasDirectory ? { ...call.state, cwds: undefined } : call.state;
  const { places } = call.walk.runWords(inner, { ...call, state });
  return { ...flowOf(call.state), ...(places && !hasDirectory && { places }) };
};

function startText(word: ShellWord): string {
  const [piece] = word.pieces;
  return piece?.type === "text" ? piece.text : "";
}

/** `command ls`, `builtin cd`: the same without functions; `command -v ls` only prints. */
const command: Program = (call) => {
  const first = literalText(call.args[0]);
  if (first === "-v" || first === "-V") {
    found(call, "inspect", "prints where a command is found");
    return undefined;
  }
  const words = first === "-p" || first === "--" ? call.args.slice(1) : call.args;
  if (words.length === 0) return undefined;
  return call.walk.runWords(words, call);
};

/** `exec` with a command runs it; without one it keeps its redirections, which were looked at. */
const exec: Program = (call) => {
  if (call.args.length === 0) return undefined;
  const table = optionTable("c l a:");
  const parsed = parseCall(call.args, table, { stopsAtOperand: true });
  reportOptions(call, parsed, table);
  return runInner(call, parsed.operands);
};

/** Starts a command again and again, or many; the words are a script of `sh`. */
const watch: Program = (call) => {
  const table = optionTable(
    "n: d t b e g c x interval: differences:attached no-title beep errexit chgexit color exec",
  );
  const parsed = parseCall(call.args, table, { stopsAtOperand: true });
  reportOptions(call, parsed, table);
  const texts = parsed.operands.map(literalText);
  if (texts.length > 0 && !texts.includes(undefined)) return runPlainText(call, texts.join(" "));
  found(call, "opaque", "the command of watch is known only when it runs");
  return undefined;
};

export const wrapperPrograms: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(wrappers).map(([name, table]): [string, Program] => [name, wrapper(table)]),
  ["env", env],
  ["command", command],
  ["builtin", command],
  ["exec", exec],
  ["watch", watch],
]);
