import type { JsonValue } from "@turnwire/protocol";

/** A value in TOML on one line; null has no form there and is left out of objects and lists. */
export function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.filter(isSet).map(tomlValue).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => isSet(member));
  return `{ ${members.map(([key, member]) => `${JSON.stringify(key)} = ${tomlValue(member)}`).join(", ")} }`;
}

function isSet(value: JsonValue): boolean {
  return value !== null;
}
