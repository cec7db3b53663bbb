import { expect, test } from "vitest";
import { suggestionText } from "./suggestion.ts";

test("a suggestion says exactly what it will allow, and where", () => {
  const rules = [
    { toolName: "Bash", ruleContent: "mkdir -p sub" },
    { toolName: "Bash", ruleContent: "npm publish *" },
  ];
  const rule = { type: "addRules", behavior: "allow" };
  expect(suggestionText({ ...rule, rules, destination: "localSettings" })).toBe(
    "Bash: mkdir -p sub and Bash: npm publish * in this project, only for you",
  );
  expect(suggestionText({ ...rule, rules: [{ toolName: "Edit" }] })).toBe("Every use of Edit");
  expect(
    suggestionText({ type: "addDirectories", directories: ["/code"], destination: "session" }),
  ).toBe("Work in /code in this session");
  expect(suggestionText({ type: "setMode", mode: "acceptEdits", destination: "session" })).toBe(
    "Accept all edits in this session",
  );
  expect(suggestionText({ type: "setMode", mode: "turbo" })).toBe(
    "Switch to the permission mode turbo",
  );
  expect(suggestionText({ type: "acceptForSession" })).toMatch(/until the agent stops/);
});

test("a suggestion of an unknown kind is shown as it is, never hidden", () => {
  expect(suggestionText({ type: "grantAll", scope: "world" })).toBe(
    '{"type":"grantAll","scope":"world"}',
  );
});
