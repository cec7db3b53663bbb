import { requestOf, type Control, type JsonObject, type JsonValue } from "@turnwire/protocol";

/**
 * The answers by the question's text, which agents want, from the shapes that UIs send: that map,
 * the tool's input around it, a list of `{question, answer}`, or answers in the questions' order.
 */
export function answersFrom(response: JsonObject, control: Control): JsonValue {
  const { answers, correlation_id: id } = response;
  const given = isObject(answers) && isObject(answers["answers"]) ? answers["answers"] : answers;
  if (!Array.isArray(given)) return given ?? null;
  const request = typeof id === "string" ? requestOf(control, id) : undefined;
  const questions = request?.type === "question_request" ? request.data.questions : [];
  const entries = given.map((item, index): [string, JsonValue] => {
    const question = isObject(item) ? item["question"] : questions[index]?.question;
    const answer = isObject(item) ? (item["answer"] ?? item["answers"] ?? null) : item;
    return [typeof question === "string" ? question : String(index), answer];
  });
  return Object.fromEntries(entries);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
