import type { Script } from "unbash";
import type { Facts } from "../facts.ts";
import type { Action, ActionKind } from "../action.ts";
import type { CommandRule } from "../argv-rule.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Flow, State } from "./state.ts";

/** The standard input of a command. */
export type Input =
  | { readonly type: "inherited" }
  /** Another command's output; `places`: a list of paths below them. */
  | { readonly type: "pipe"; readonly places?: readonly string[] | undefined }
  /** A here-document or here-string; undefined text: not known. */
  | { readonly type: "text"; readonly text: string | undefined };

export interface Invocation {
  readonly state: State;
  readonly input: Input;
  /** Variables set for this command alone. */
  readonly assignments: ReadonlyMap<string, ShellWord>;
}

/** The walk over one script and all scripts in it; collects what it finds. */
export interface Walk {
  readonly facts: Facts;
  readonly rules: readonly CommandRule[];
  /** Nothing but the closed list is allowed, since no kernel holds what it runs. */
  readonly isClosed: boolean;
  /** Real paths of files that this script writes: running one of them is as opaque as its text. */
  readonly writtenPaths: Set<string>;
  /** Real paths below which this script puts what it takes from elsewhere: links among it lead anywhere. */
  readonly filledPaths: Set<string>;
  /** The assumptions of the walk, and the changes that would break them: functions judged where they are defined, `cd` and `unset`. */
  readonly reliance: {
    assumesDirectory: boolean;
    movesDirectory: boolean;
    readonly functions: Set<string>;
    /** Names after which a program may be meant where a function was. */
    readonly unsetNames: Set<string>;
  };
  /** Throws when there are more words than are worth the time. */
  countWord(): void;
  report(action: Action): void;
  reportKind(kind: ActionKind, subject: string, reason: string): void;
  /** Evaluates a text that a shell would run. */
  runText(text: string, state: State, input?: Input): Flow;
  runScript(
    script: Script & { readonly errors?: readonly unknown[] | undefined },
    state: State,
    input?: Input,
  ): Flow;
  /** Evaluates a command that another one starts. */
  runWords(words: readonly ShellWord[], invocation: Invocation): Flow;
}
