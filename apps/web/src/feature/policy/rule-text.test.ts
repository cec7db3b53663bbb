import type { WrittenPolicyRule } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { ruleScope, ruleSubject, withRuleValue } from "./rule-text.ts";

const run: WrittenPolicyRule = { kind: "argv", argv: ["npm", "run", "build"] };
const read: WrittenPolicyRule = { kind: "path", path: "/etc/hosts", access: "read" };

test("each kind of rule reads as what it allows", () => {
  expect(ruleSubject(run)).toBe("Run `npm run build` with any further words");
  expect(ruleSubject({ ...run, is_exact: true })).toBe("Run `npm run build`");
  expect(ruleSubject(read)).toBe("Read `/etc/hosts`");
  expect(ruleSubject({ ...read, access: "write" })).toBe("Write `/etc/hosts`");
  expect(ruleSubject({ kind: "tool", tool: "mcp__a__b" })).toBe("Use the tool `mcp__a__b`");
  expect(ruleSubject({ kind: "host", host: "*.example.com" })).toBe("Connect to `*.example.com`");
});

test("a rule says where it holds", () => {
  expect(ruleScope(run)).toBe("in every mode, in every project");
  expect(ruleScope({ ...run, mode: "planner", project: "/code/site" })).toBe(
    "in the mode Planner, in `/code/site`",
  );
});

test("a rule takes what was typed", () => {
  expect(withRuleValue(run, "npm run 'a b'")).toEqual({
    rule: { kind: "argv", argv: ["npm", "run", "a b"] },
  });
  expect(withRuleValue(read, " ~/notes/ ")).toEqual({
    rule: { kind: "path", path: "~/notes/", access: "read" },
  });
});

test("a text that did not change leaves the words as they are, also words that no text can show", () => {
  const odd: WrittenPolicyRule = { kind: "argv", argv: ["make", ["a,b", "c"]] };
  expect(withRuleValue(odd, "make {a,b,c}")).toEqual({ rule: odd });
});

test("nothing is not a rule", () => {
  expect(withRuleValue(run, "  ")).toEqual({
    problem: "Write at least the first word of the command.",
  });
  expect(withRuleValue(run, "echo 'a")).toEqual({
    problem: "A quote in the command is not closed.",
  });
});
