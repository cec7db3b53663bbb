import { judge } from "../evaluation/evaluation.ts";
import type { Evaluator } from "../evaluation/evaluator.ts";
import { propsProblem } from "../ui/props-check.ts";

/** Evaluates at once, where a test counts the turns of the event loop. */
export const directEvaluator: Evaluator = {
  judge: async (_session, question) => judge(question),
  checkProps: async (_session, question) => propsProblem(question.entry, question.props),
};
