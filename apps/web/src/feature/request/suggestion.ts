import type { JsonObject, JsonValue } from "@turnwire/protocol";

const places: Readonly<Record<string, string>> = {
  session: "in this session",
  localSettings: "in this project, only for you",
  projectSettings: "in this project, for everyone",
  userSettings: "in all your projects",
};

/** What a permission mode lets the agent do. */
const modes: Readonly<Record<string, string>> = {
  default: "Ask before changes",
  acceptEdits: "Accept all edits",
  plan: "Plan only",
  dontAsk: "Deny what is not allowed",
  bypassPermissions: "Full access",
};

/** What a suggestion would allow from now on, in words. */
export function suggestionText(suggestion: JsonObject): string {
  const place = placeOf(suggestion["destination"]);
  switch (suggestion["type"]) {
    case "addRules":
      return `${list(suggestion["rules"], ruleText)}${place}`;
    case "addDirectories":
      return `Work in ${list(suggestion["directories"], word)}${place}`;
    case "setMode":
      return `${modeText(suggestion["mode"])}${place}`;
    case "acceptForSession":
      return "This and similar requests until the agent stops";
    default:
      return JSON.stringify(suggestion);
  }
}

function placeOf(destination: JsonValue | undefined): string {
  const place = typeof destination === "string" ? places[destination] : undefined;
  return place === undefined ? "" : ` ${place}`;
}

function modeText(mode: JsonValue | undefined): string {
  const text = typeof mode === "string" ? modes[mode] : undefined;
  return text ?? `Switch to the permission mode ${word(mode)}`;
}

function list(values: JsonValue | undefined, text: (value: JsonValue) => string): string {
  return Array.isArray(values) ? values.map(text).join(" and ") : "";
}

function ruleText(rule: JsonValue): string {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule)) return word(rule);
  const { toolName, ruleContent } = rule;
  return typeof ruleContent === "string"
    ? `${word(toolName)}: ${ruleContent}`
    : `Every use of ${word(toolName)}`;
}

function word(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
