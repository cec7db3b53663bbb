import { posix } from "node:path";
import { absolutePaths, isInside, resolveReal } from "../../location.ts";
import { knownStart, literalText, type ShellWord } from "../../shell/shell-word.ts";
import type { State } from "../../shell/state.ts";
import { type Call, found, type Program, reads } from "../call.ts";
import { changeCommands } from "./change.ts";
import { inspectCommands } from "./inspect.ts";

/** Settings that only choose how output looks, or that switch something off. */
const harmlessSetting =
  /^(?:color\.[a-z.]+|advice\.[a-z]+|core\.quotepath|core\.abbrev|core\.fsmonitor=(?:false|0)?$|core\.hookspath=\/dev\/null$|core\.pager=(?:cat)?$|user\.(?:name|email)|diff\.renames|log\.showsignature=false|commit\.gpgsign=false|tag\.gpgsign=false|gc\.auto|init\.defaultbranch|pull\.rebase|merge\.conflictstyle|protocol\.ext\.allow=never)(?:=|$)/i;

interface Start {
  readonly subcommand: ShellWord | undefined;
  readonly args: readonly ShellWord[];
  readonly state: State;
}

/** Reads the options before the subcommand; some of them make git run anything. */
function readStart(call: Call): Start {
  const { args } = call;
  let { state } = call;
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index];
    if (!word || !knownStart(word).startsWith("-")) break;
    const text = literalText(word) ?? `${knownStart(word)}…`;
    const next = args[index + 1];
    if (text === "-C" && next) {
      reads(call, next);
      state = movedState(literalText(next), state, call);
      index += 1;
    } else if (text === "-c" && next) {
      if (!harmlessSetting.test(literalText(next) ?? "")) {
        found(call, "opaque", `git -c ${knownStart(next)} may run commands`);
      }
      index += 1;
    } else if (/^(?:--version|-v)$/.test(text)) {
      return { subcommand: { pieces: [{ type: "text", text: "version" }] }, args: [], state };
    } else if (
      !/^(?:--no-pager|-P|--no-optional-locks|--no-replace-objects|--literal-pathspecs|--glob-pathspecs|--noglob-pathspecs|--icase-pathspecs)$/.test(
        text,
      )
    ) {
      found(call, "opaque", `git ${text} may run commands`);
    }
  }
  return { subcommand: args[index], args: args.slice(index + 1), state };
}

function movedState(place: string | undefined, state: State, { walk }: Call): State {
  if (place === undefined) return { ...state, cwds: undefined };
  try {
    const cwds = absolutePaths(place, state.cwds)?.map((path) =>
      resolveReal(path, walk.facts.realPath),
    );
    return { ...state, cwds };
  } catch {
    return { ...state, cwds: undefined };
  }
}

/**
 * True where git may take a directory of the project for the repository. Its configuration can run
 * commands, and a clone can bring one: a directory with a file HEAD, whose other parts may be
 * anywhere (`commondir`). Only the repository that holds the root is the person's own.
 */
function isHeldByProject({ cwds }: State, { walk }: Call): boolean {
  const { roots, realPath } = walk.facts;
  const has = (place: string, name: string): boolean =>
    realPath(posix.join(place, name)) !== undefined;
  const isOwn = (place: string): boolean => roots.some((root) => isInside(root, place));
  if (!cwds) return true;
  return cwds.some((cwd) => {
    for (let place = cwd; ; place = posix.dirname(place)) {
      if (has(place, ".git")) return !isOwn(place);
      if (has(place, "HEAD")) return true;
      if (place === "/") return false;
    }
  });
}

/** `git`: each subcommand has a table of its own; others, aliases among them, are not known. */
export const git: Program = (call) => {
  const { subcommand, args, state } = readStart(call);
  const name = literalText(subcommand);
  if (name === undefined) {
    found(call, "opaque", "the subcommand of git is known only when it runs");
    return undefined;
  }
  if (isHeldByProject(state, call)) {
    found(call, "opaque", "git would obey the configuration of a repository inside the project");
  }
  const program = inspectCommands.get(name) ?? changeCommands.get(name);
  if (!program) {
    found(call, "unknown_program", `git ${name} is not a subcommand that the evaluator knows`);
    return undefined;
  }
  const flow = program({ ...call, name: `git ${name}`, args, state });
  // In another directory its paths mean other files here.
  return flow?.places && state === call.state ? flow : undefined;
};
