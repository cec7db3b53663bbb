import {
  type AllowedThing,
  type Containment,
  evaluateToolCall,
  type Evaluation,
  type Facts,
  type Mode,
  type Policy,
  suggestedRule,
  type ToolCall,
} from "@turnwire/policy";
import { entries, realPath } from "@turnwire/policy/file-system";
import type { CatalogEntry, JsonObject } from "@turnwire/protocol";
import { propsProblem } from "../ui/props-check.ts";

/** A use of a tool, to be judged by the policy under a mode. */
export interface ToolQuestion {
  readonly type: "tool";
  readonly call: ToolCall;
  readonly mode: string;
  readonly policy: Pick<Policy, "version" | "rules"> & {
    readonly modes: ReadonlyMap<string, Mode>;
  };
  readonly facts: Omit<Facts, "realPath" | "entries">;
  /** By default there is none. */
  readonly containment?: Containment;
}

/** Properties, to be checked by the schema of a component. */
export interface PropsQuestion {
  readonly type: "props";
  readonly entry: CatalogEntry;
  readonly props: JsonObject;
}

export interface Answers {
  readonly tool: {
    readonly evaluation: Evaluation;
    /** The rule that a person could add, where the policy asks. */
    readonly thing: AllowedThing | undefined;
  };
  /** The problem, as a sentence; undefined when there is none. */
  readonly props: string | undefined;
}

export type Question = ToolQuestion | PropsQuestion;

/** Answers a question with nothing but the question and the file system; it may take long. */
export function evaluate(question: Question): Answers[Question["type"]] {
  return question.type === "tool" ? judge(question) : propsProblem(question.entry, question.props);
}

export function judge({
  call,
  mode,
  policy,
  facts,
  containment,
}: Omit<ToolQuestion, "type">): Answers["tool"] {
  const context = { policy, mode, facts: { ...facts, realPath, entries }, containment };
  const evaluation = evaluateToolCall(call, context);
  const thing = evaluation.verdict === "ask" ? suggestedRule(call, context) : undefined;
  return { evaluation, thing };
}
