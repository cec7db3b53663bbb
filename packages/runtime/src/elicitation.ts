import type { Answers, JsonObject, JsonValue, Question } from "@turnwire/protocol";
import * as z from "zod";

/** The wish of an MCP server for values from a person, or for a visit to an address. */
export interface Elicitation {
  readonly serverName: string;
  readonly message?: string | null | undefined;
  /** The form, as JSON Schema of an object with flat fields. */
  readonly requestedSchema?: unknown;
  /** The address to open, in place of a form. */
  readonly url?: string | null | undefined;
}

/** The answer as MCP has it. */
export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

const Choice = z.looseObject({ const: z.string(), title: z.string().optional() });
const Choices = z.looseObject({
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  anyOf: z.array(Choice).optional(),
});
const Field = Choices.extend({
  type: z.unknown(),
  title: z.string().optional(),
  description: z.string().optional(),
  items: Choices.optional().catch(undefined),
});
type Field = z.infer<typeof Field>;
const Form = z.looseObject({ properties: z.record(z.string(), Field) });

const done = "Done";
const decline = "Decline";

/** The questions to a person: one for each field of the form, in its own words where it has only one; none where it has no field. */
export function elicitationQuestions(asked: Elicitation): Question[] {
  const { serverName, url } = asked;
  const header = serverName;
  if (url) {
    const options = [
      { label: done, description: "I have opened the address and finished there." },
      { label: decline },
    ];
    return [{ question: addressQuestion(asked, url), header, options_only: true, options }];
  }
  return fieldsOf(asked).map(([name, field]) => {
    const options = choicesOf(field).map(({ label }) => ({ label }));
    return {
      question: fieldQuestion(asked, name, field),
      header,
      ...(options.length > 0 && { options_only: true }),
      ...(field.type === "array" && { multi_select: true }),
      options,
    };
  });
}

/** The answer to the server; declined where a person answered nothing. */
export function elicitationAnswer(asked: Elicitation, answers: Answers): ElicitationAnswer {
  if (asked.url) {
    const isDone = answers[addressQuestion(asked, asked.url)] === done;
    return { action: isDone ? "accept" : "decline" };
  }
  const content = fieldsOf(asked).flatMap(([name, field]) => {
    const given = answers[fieldQuestion(asked, name, field)];
    return given === undefined ? [] : [[name, valueFrom(given, field)] as const];
  });
  return content.length === 0
    ? { action: "decline" }
    : { action: "accept", content: Object.fromEntries(content) };
}

function fieldsOf({ requestedSchema }: Elicitation): [string, Field][] {
  return Object.entries(Form.safeParse(requestedSchema).data?.properties ?? {});
}

function addressQuestion({ message, serverName }: Elicitation, url: string): string {
  return `${message || `${serverName} asks you to open an address.`} ${url}`;
}

function fieldQuestion(asked: Elicitation, name: string, field: Field): string {
  const { message, serverName } = asked;
  const words = field.title ?? field.description ?? name;
  const isOnly = fieldsOf(asked).length === 1 && message;
  return isOnly ? message : `${message || serverName}: ${words}`;
}

/** The values that a field can have, by the words in which a person chooses them. */
function choicesOf({ type, items, ...own }: Field): { label: string; value: JsonValue }[] {
  if (type === "boolean") {
    return [
      { label: "yes", value: true },
      { label: "no", value: false },
    ];
  }
  const { enum: values, enumNames, oneOf, anyOf } = type === "array" ? (items ?? {}) : own;
  const titled = (oneOf ?? anyOf)?.map(({ const: value, title }) => ({
    label: title ?? value,
    value,
  }));
  return titled ?? (values ?? []).map((value, at) => ({ label: enumNames?.[at] ?? value, value }));
}

function valueFrom(given: string | string[], field: Field): JsonValue {
  const choices = choicesOf(field);
  const chosen = (label: string): JsonValue =>
    choices.find((choice) => choice.label === label)?.value ?? label;
  if (field.type === "array") return [given].flat().map(chosen);
  const text = [given].flat().join(", ");
  if (field.type === "number" || field.type === "integer") return Number(text);
  return field.type === "boolean" ? /^(true|yes)$/i.test(text) : chosen(text);
}
