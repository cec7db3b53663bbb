import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { errorText, isObject } from "@turnwire/base";
import { type CatalogEntry, ComponentStatus, type JsonObject, limits } from "@turnwire/protocol";

/** Problems that are named at once. */
const MAX_PROBLEMS = 5;
/** Of larger properties only the first problem is looked for. */
const MAX_LISTED_BYTES = 64 * 1024;

/** The wrappers that report only that something below is wrong. */
const wrappers = new Set([
  "$ref",
  "additionalItems",
  "allOf",
  "dependentSchemas",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
]);

/**
 * The problem of properties that the entry's component cannot show, as a sentence; undefined when it can.
 * Schemas come from clients, and some would take for ever: an evaluator has to run it.
 */
export function propsProblem(
  { name, props_schema: schema }: CatalogEntry,
  props: JsonObject,
): string | undefined {
  const text = JSON.stringify(props);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.propsBytes) {
    return `The properties have ${bytes} bytes of JSON; at most ${limits.propsBytes} can be shown.`;
  }
  try {
    const errors = errorsOf(checkedSchema(schema, props), withoutStatus(schema, props), {
      isListed: bytes <= MAX_LISTED_BYTES,
    });
    return errors.length === 0
      ? undefined
      : `The properties do not fit the schema of ${name}: ${errors.join("; ")}.`;
  } catch (error) {
    // Out of stack: the schema's doing, not the model's.
    return uncheckedProps(name, errorText(error));
  }
}

export function uncheckedProps(name: string, reason: string): string {
  return `The properties of ${name} could not be checked: ${reason}.`;
}

/** While a component is loading or has failed, what it needs may still be missing. */
function checkedSchema(schema: JsonObject, { status }: JsonObject): JsonObject {
  if (status !== "loading" && status !== "error") return schema;
  const { required: _, ...rest } = schema;
  return rest;
}

/** Every component may have a status, whether its schema says so or not. */
function withoutStatus({ properties }: JsonObject, props: JsonObject): JsonObject {
  const isOwn = isObject(properties) && Object.hasOwn(properties, "status");
  if (isOwn || !ComponentStatus.safeParse(props["status"]).success) return props;
  const { status: _, ...rest } = props;
  return rest;
}

function errorsOf(
  schema: JsonObject,
  props: JsonObject,
  { isListed }: { isListed: boolean },
): string[] {
  // The validator marks the schemas that it is given: they are copies.
  const first = validate(structuredClone(schema), props, true);
  if (first.length === 0) return [];
  const errors = isListed ? validate(structuredClone(schema), props, false) : first;
  const meant = errors.filter(({ keyword }) => !wrappers.has(keyword));
  const named = (meant.length > 0 ? meant : errors).map(described);
  return [...new Set(named)].slice(0, MAX_PROBLEMS);
}

function validate(schema: JsonObject, props: JsonObject, isFirstOnly: boolean): OutputUnit[] {
  return new Validator(schema, "2020-12", isFirstOnly).validate(props).errors;
}

function described({ instanceLocation, error }: OutputUnit): string {
  const place = instanceLocation.slice(1);
  return `${place === "" ? "the whole" : place}: ${error.replace(/\.$/, "")}`;
}
