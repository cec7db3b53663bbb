import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { isJsonObject, textFromJson } from "./json-text.ts";

/** One of several things a person can choose by its number. */
export interface Choice {
  readonly label: string;
  readonly value: JsonValue;
}

function choiceFrom(option: JsonValue): Choice {
  if (!isJsonObject(option)) return { label: textFromJson(option), value: option };
  const value = option["value"] ?? option["id"] ?? option["label"] ?? option;
  const label = option["label"] ?? option["title"] ?? value;
  return { label: textFromJson(label), value };
}

/** What an object offers under `options` or `choices`, where UI components usually have it. */
export function choicesIn(object: JsonObject): readonly Choice[] {
  const offered = object["options"] ?? object["choices"];
  return Array.isArray(offered) ? offered.map(choiceFrom) : [];
}

/** What a line says about numbered items: it picks some, it picks wrongly, or it holds words of one's own. */
export type Pick<Item> =
  | { readonly type: "picked"; readonly items: readonly Item[] }
  | { readonly type: "wrong"; readonly hint: string }
  | { readonly type: "words" };

interface PickRule {
  readonly isMultiple: boolean;
}

/** Reads "2", or "1, 3" where several may be picked. */
export function pickByNumber<Item>(
  line: string,
  items: readonly Item[],
  { isMultiple }: PickRule,
): Pick<Item> {
  if (items.length === 0 || !/^\d+(?:[\s,]+\d+)*$/.test(line)) return { type: "words" };
  const numbers = [...new Set(line.split(/[\s,]+/).map(Number))];
  const picked = numbers.flatMap((number) => items.slice(number - 1, number));
  if (picked.length < numbers.length || numbers.includes(0)) {
    return { type: "wrong", hint: `Choose from 1 to ${items.length}.` };
  }
  if (picked.length > 1 && !isMultiple) return { type: "wrong", hint: "Choose one of them only." };
  return { type: "picked", items: picked };
}
