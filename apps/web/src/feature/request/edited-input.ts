import { errorText, isObject } from "@turnwire/base";
import type { JsonValue } from "@turnwire/protocol";

/** A tool's input as editable text: the command alone if it has one, else the JSON. */
export function editableText(input: JsonValue): string {
  return commandOf(input) ?? JSON.stringify(input, null, 2);
}

export type EditedInput =
  | { readonly type: "input"; readonly input: JsonValue }
  | { readonly type: "problem"; readonly problem: string };

/** The input with the edited text in it; its other members stay. */
export function editedInput(input: JsonValue, text: string): EditedInput {
  if (commandOf(input) !== undefined && isObject(input)) {
    return text.trim() === ""
      ? { type: "problem", problem: "The command is empty. To run nothing, deny the request." }
      : { type: "input", input: { ...input, command: text } };
  }
  try {
    const parsed: JsonValue = JSON.parse(text);
    return { type: "input", input: parsed };
  } catch (error) {
    return { type: "problem", problem: `This is not valid JSON: ${errorText(error)}` };
  }
}

function commandOf(input: JsonValue): string | undefined {
  if (!isObject(input)) return undefined;
  return typeof input["command"] === "string" ? input["command"] : undefined;
}
