import type { CatalogEntry, JsonObject } from "@turnwire/protocol";
import { uncheckedProps } from "../ui/props-check.ts";
import { EvaluationLimit, type Evaluator } from "./evaluator.ts";

/** The problem of properties that the entry's component cannot show, as a sentence; undefined when it can. */
export async function checkProps(
  evaluator: Evaluator,
  session: string,
  question: { readonly entry: CatalogEntry; readonly props: JsonObject },
): Promise<string | undefined> {
  try {
    return await evaluator.checkProps(session, question);
  } catch (error) {
    if (!(error instanceof EvaluationLimit)) throw error;
    return uncheckedProps(question.entry.name, error.message);
  }
}
