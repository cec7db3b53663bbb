import {
  type Case,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  type For,
  type If,
  parse,
  type Pipeline,
  type PipelineNode,
  type Script,
  type Statement,
  type While,
} from "unbash";
import type { Facts } from "../facts.ts";
import type { Action } from "../action.ts";
import { LimitReached } from "../limit-reached.ts";
import type { CommandRule } from "../argv-rule.ts";
import { expandWhole, expandWord } from "./expand.ts";
import { assignedNames } from "./assigned-name.ts";
import { isPlainScript, notClosed } from "./plain-script.ts";
import { continuationProblem, textProblem } from "./preflight.ts";
import { isKnownProgram } from "../program/registry.ts";
import { redirect } from "./redirection.ts";
import { hasUnknown, isSplit, unknownWord } from "./shell-word.ts";
import { runSimpleCommand, runWords } from "./simple-command.ts";
import {
  afterEither,
  type Flow,
  flowOf,
  forgotten,
  joinStates,
  type State,
  unlessSkipped,
  withoutVariables,
  withVariable,
} from "./state.ts";
import { evaluateTest } from "./test-expression.ts";
import { isVariableName, mayAssign } from "./variable-name.ts";
import type { Input, Walk } from "./walk.ts";

/** How many commands a script may have, those in loops and nested scripts counted each time. */
const maxCommands = 500;
/** How many words are expanded, counted in the same way. */
const maxWords = 3_000;
/** Scripts in scripts, and commands that start commands. */
const maxDepth = 8;
/** Subshells, groups and loops in each other. */
const maxNesting = 40;
/** A loop over more words than this is evaluated once, with an unknown one. */
const maxIterations = 12;

const inherited: Input = { type: "inherited" };

/** An input that several commands may read from: which part of it each of them gets is not known. */
function shared(input: Input): Input {
  if (input.type === "text") return { type: "text", text: undefined };
  return input.type === "pipe" ? { type: "pipe" } : input;
}

interface WalkOptions {
  readonly facts: Facts;
  readonly rules: readonly CommandRule[];
  readonly isClosed: boolean;
  readonly report: (action: Action) => void;
}

/** Walks over all that a script would run, and reports it. */
export function createWalk({ facts, rules, isClosed, report }: WalkOptions): Walk {
  let commands = 0;
  let words = 0;
  let depth = 0;
  let nesting = 0;

  const walk: Walk = {
    facts,
    rules,
    isClosed,
    writtenPaths: new Set(),
    filledPaths: new Set(),
    reliance: {
      assumesDirectory: false,
      movesDirectory: false,
      functions: new Set(),
      unsetNames: new Set(),
    },
    countWord() {
      words += 1;
      if (words > maxWords) throw new LimitReached(`it has more than ${maxWords} words`);
    },
    report,
    reportKind: (kind, subject, reason) => report({ type: "kind", kind, reason, subject }),
    runText(text, state, input = inherited) {
      const problem = textProblem(text) ?? continuationProblem(text);
      if (problem !== undefined) walk.reportKind("opaque", "", problem);
      if (isClosed && !isPlainScript(text)) walk.reportKind("opaque", "", notClosed);
      return deeper(() => walk.runScript(parse(text), state, shared(input)));
    },
    runScript(script, state, input = inherited) {
      if (script.errors && script.errors.length > 0) {
        walk.reportKind("opaque", "", "the shell's syntax is broken or ambiguous here");
      }
      return nested(() => runStatements(script, state, input));
    },
    runWords: (words, invocation) =>
      deeper(() => {
        // A program that starts another one finds programs only, never the functions of this shell.
        const state = { ...invocation.state, functions: new Set<string>() };
        if (isClosed && words.some(hasUnknown)) walk.reportKind("opaque", "", notClosed);
        return runWords(words, { ...invocation, state }, walk);
      }),
  };

  function deeper<Value>(run: () => Value): Value {
    if (depth >= maxDepth)
      throw new LimitReached(`commands start commands more than ${maxDepth} deep`);
    depth += 1;
    try {
      return run();
    } finally {
      depth -= 1;
    }
  }

  function nested<Value>(run: () => Value): Value {
    if (nesting >= maxNesting) throw new LimitReached(`it is nested more than ${maxNesting} deep`);
    nesting += 1;
    try {
      return run();
    } finally {
      nesting -= 1;
    }
  }

  /** Before any of them is looked at, so that a long list is answered at once. */
  function checkCount(list: readonly unknown[]): void {
    if (commands + list.length > maxCommands) {
      throw new LimitReached(`it has more than ${maxCommands} commands`);
    }
  }

  function runStatements(
    { commands: statements }: Script | CompoundList,
    start: State,
    input: Input,
  ): Flow {
    checkCount(statements);
    let flow = flowOf(start);
    for (const statement of statements) {
      flow = runStatement(statement, afterEither(flow), input);
    }
    const { places: _, ...last } = flow;
    return statements.length === 1 ? flow : last;
  }

  function runStatement({ command, background }: Statement, state: State, input: Input): Flow {
    const flow = runAndOr(command, state, input);
    return background === true ? flowOf(state) : flow;
  }

  function runAndOr(node: Statement["command"], state: State, input: Input): Flow {
    if (node.type !== "AndOr") return runPipelineNode(node, state, input);
    checkCount(node.commands);
    let flow: Flow = flowOf(state);
    for (const [index, command] of node.commands.entries()) {
      const operator = node.operators[index - 1];
      const start = operator === undefined ? state : operator === "&&" ? flow.ok : flow.failed;
      const { ok, failed } = runPipelineNode(command, start, input);
      if (operator === undefined) flow = { ok, failed };
      else if (operator === "&&") flow = { ok, failed: joinStates(flow.failed, failed) };
      else flow = { ok: joinStates(flow.ok, ok), failed };
    }
    return flow;
  }

  function runPipelineNode(node: PipelineNode, state: State, input: Input): Flow {
    return node.type === "Pipeline"
      ? runPipeline(node, state, input)
      : runCommand(node, state, input);
  }

  function runPipeline({ commands: stages, prefixes }: Pipeline, state: State, input: Input): Flow {
    const [only, ...more] = stages;
    if (only && more.length === 0) {
      const flow = runCommand(only, state, input);
      const isNegated = prefixes.some(({ type }) => type === "Negation");
      return isNegated ? { ok: flow.failed, failed: flow.ok } : flow;
    }
    checkCount(stages);
    let stageInput = input;
    let places: Flow["places"];
    for (const stage of stages) {
      places = runCommand(stage, state, stageInput).places;
      stageInput = { type: "pipe", places };
    }
    return { ...flowOf(state), ...(places && { places }) };
  }

  function runCommand(node: CommandNode, state: State, input: Input): Flow {
    commands += 1;
    if (commands > maxCommands) throw new LimitReached(`it has more than ${maxCommands} commands`);
    switch (node.type) {
      case "Command":
        return runSimpleCommand(node, { state, input }, walk);
      case "Redirected": {
        const ownInput = redirect(node.redirects, state, walk) ?? input;
        return unlessSkipped(runCompound(node.command, state, ownInput), state, node.redirects);
      }
      case "Function":
        return runFunction(node, state);
      case "Coproc":
        walk.reportKind("opaque", "coproc", "coprocesses are not judged");
        return flowOf(state);
      default:
        return runCompound(node, state, input);
    }
  }

  function runFunction(node: Extract<CommandNode, { type: "Function" }>, state: State): Flow {
    const { text } = node.name;
    if (!/^[a-z_][A-Za-z0-9_]*$/.test(text) || isKnownProgram(text)) {
      walk.reportKind("opaque", text, "a function of this name is not judged");
    }
    const defined = { ...state, functions: new Set([...state.functions, text]) };
    // Where it is called is where it is defined, unless something moves: then the answer is asked for.
    const start = { ...forgotten(defined), cwds: state.cwds };
    walk.reliance.assumesDirectory = true;
    walk.reliance.functions.add(text);
    const body = node.body;
    nested(() =>
      body.type === "CompoundList"
        ? runStatements(body, start, inherited)
        : runCommand(body, start, { type: "text", text: undefined }),
    );
    return flowOf(defined);
  }

  function runCompound(node: CompoundCommand, state: State, given: Input): Flow {
    const input = shared(given);
    return nested(() => {
      switch (node.type) {
        case "Subshell":
          return { ...runStatements(node.body, state, input), ...flowOf(state) };
        case "BraceGroup":
          return runStatements(node.body, state, input);
        case "If":
          return runIf(node, state, input);
        case "For":
          return runFor(node, state, input);
        case "While":
          return runWhile(node, state, input);
        case "Case":
          return runCase(node, state, input);
        case "TestCommand":
          evaluateTest(node.expression, state, walk);
          return flowOf(state);
        case "ArithmeticFor":
        case "ArithmeticCommand":
        case "Select":
        default:
          walk.reportKind("opaque", node.type, "this kind of command is not judged");
          return flowOf(forgotten(state));
      }
    });
  }

  function runIf(node: If, state: State, input: Input): Flow {
    const test = runStatements(node.clause, state, input);
    let after = afterEither(runStatements(node.then, test.ok, input));
    let failed = test.failed;
    for (const elif of node.elif) {
      const next = runStatements(elif.clause, failed, input);
      after = joinStates(after, afterEither(runStatements(elif.then, next.ok, input)));
      failed = next.failed;
    }
    const last = node.else ? afterEither(runStatements(node.else, failed, input)) : failed;
    return flowOf(joinStates(after, last));
  }

  /** Names that may have changed when a loop's body runs again are unknown in it. */
  function loopState(state: State, body: readonly CompoundList[]): State {
    const names = assignedNames(body);
    const isEverything = names.isEverything || state.functions.size > 0;
    const known = isEverything ? forgotten(state) : withoutVariables(state, names.variables);
    return names.changesDirectory ? { ...known, cwds: undefined } : known;
  }

  function runFor(node: For, state: State, input: Input): Flow {
    const name = node.name.text;
    if (!isVariableName(name) || !mayAssign(name)) {
      walk.reportKind("environment", name, `the loop sets the variable ${name}`);
    }
    const words = (node.wordlist ?? []).flatMap((word) => expandWord(word, { walk, state }));
    const isLong = words.length > maxIterations || words.some(isSplit) || !node.wordlist;
    const only = words[0];
    const values = isLong
      ? [
          words.length === 1 && only
            ? {
                pieces: only.pieces.map((piece) =>
                  piece.type === "unknown"
                    ? { ...piece, isSplit: false, isFragment: piece.isSplit }
                    : piece,
                ),
              }
            : unknownWord(),
        ]
      : words;
    const start = loopState(state, [node.body]);
    let after = start;
    for (const value of values) {
      const flow = runStatements(node.body, withVariable(start, name, value), input);
      after = joinStates(after, afterEither(flow));
    }
    return flowOf(withoutVariables(joinStates(state, after), [name]));
  }

  function runWhile(node: While, state: State, input: Input): Flow {
    const start = loopState(state, [node.clause, node.body]);
    const test = runStatements(node.clause, start, input);
    const body = runStatements(node.body, afterEither(test), input);
    return flowOf(joinStates(joinStates(start, afterEither(test)), afterEither(body)));
  }

  function runCase(node: Case, state: State, input: Input): Flow {
    expandWhole(node.word, { walk, state });
    let after = state;
    for (const item of node.items) {
      // After `;;&` and `;&` it may come from the body before.
      for (const pattern of item.pattern) expandWhole(pattern, { walk, state: after });
      after = joinStates(after, afterEither(runStatements(item.body, after, input)));
    }
    return flowOf(after);
  }

  return walk;
}
