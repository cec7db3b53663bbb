import { isObject } from "@turnwire/base";
import type { JsonValue, WrittenPolicyRule } from "@turnwire/protocol";

/** The rule that a request suggests; undefined where it suggests none that this app knows. */
export function writtenRule(suggested: JsonValue | undefined): WrittenPolicyRule | undefined {
  if (!isObject(suggested)) return undefined;
  const { mode, project } = suggested;
  const scope = {
    ...(typeof mode === "string" && { mode }),
    ...(typeof project === "string" && { project }),
  };
  switch (suggested["kind"]) {
    case "argv": {
      const argv = argvOf(suggested["argv"]);
      const isExact = suggested["is_exact"] === true;
      return argv && { kind: "argv", argv, ...(isExact && { is_exact: true }), ...scope };
    }
    case "tool":
      return typeof suggested["tool"] === "string"
        ? { kind: "tool", tool: suggested["tool"], ...scope }
        : undefined;
    case "path": {
      const { path, access } = suggested;
      const isKnown = access === "read" || access === "write";
      return typeof path === "string" && isKnown
        ? { kind: "path", path, access, ...scope }
        : undefined;
    }
    case "host":
      return typeof suggested["host"] === "string"
        ? { kind: "host", host: suggested["host"], ...scope }
        : undefined;
    default:
      return undefined;
  }
}

function argvOf(value: unknown): (string | string[])[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const words: (string | string[])[] = [];
  for (const word of value) {
    if (typeof word === "string") words.push(word);
    else if (isWords(word)) words.push(word);
    else return undefined;
  }
  return words;
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}
