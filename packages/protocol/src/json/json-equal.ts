import { isObject } from "@turnwire/base";
import type { JsonValue } from "./json.ts";

/** Whether two values are the same JSON, whatever the order of their members. */
export function isJsonEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isJsonEqual(item, right[index] ?? null));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) => Object.hasOwn(right, key) && isJsonEqual(left[key] ?? null, right[key] ?? null),
    )
  );
}
