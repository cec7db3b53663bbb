import { isObject } from "@turnwire/base";
import {
  requestOf,
  type Control,
  type JsonObject,
  type JsonValue,
  type Question,
} from "@turnwire/protocol";

/**
 * The answers by the question's text, which agents want, from the shapes that UIs send: that map,
 * the tool's input around it, a list of `{question, selectedOptions}` as agent-webkit's own
 * example sends it, a list of `{question, answer}`, or answers in the questions' order.
 */
export function answersFrom(response: JsonObject, control: Control): JsonValue {
  const { answers, correlation_id: id } = response;
  const given = isObject(answers) && isObject(answers["answers"]) ? answers["answers"] : answers;
  if (!Array.isArray(given)) return given ?? null;
  const request = typeof id === "string" ? requestOf(control, id) : undefined;
  const questions = request?.type === "question_request" ? request.data.questions : [];
  const entries = given.map((item, index) => entryFrom(item, index, questions));
  return Object.fromEntries(entries);
}

function entryFrom(
  item: JsonValue,
  index: number,
  questions: readonly Question[],
): [question: string, answer: JsonValue] {
  if (!isObject(item)) return [questions[index]?.question ?? String(index), item];
  const { question, selectedOptions } = item;
  const name = typeof question === "string" ? question : String(index);
  if (!Array.isArray(selectedOptions)) {
    return [name, item["answer"] ?? item["answers"] ?? null];
  }
  const isMultiple = questions.find((asked) => asked.question === name)?.multi_select === true;
  const [only = null, ...more] = selectedOptions;
  return [name, isMultiple || more.length > 0 || only === null ? selectedOptions : only];
}
