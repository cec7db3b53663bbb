import { describe, expect, test } from "vitest";
import { hasAllowRule } from "./gate-config.ts";

describe("rules of Codex", () => {
  test.each([
    'prefix_rule(pattern=["touch"], decision="allow")',
    'prefix_rule(pattern=["touch"])',
    "prefix_rule ( pattern = ['touch'] , decision = 'allow' )",
    'prefix_rule(pattern=["a"], decision="prompt")\nprefix_rule(pattern=["b"])',
    'prefix_rule(pattern=["a"]) # decision="prompt"',
    '[prefix_rule(pattern=[name], decision="prompt") for name in ["a"]]',
  ])("may let something run unasked: %s", (rules) => {
    expect(hasAllowRule(rules)).toBe(true);
  });

  test.each([
    "",
    '# prefix_rule(pattern=["touch"], decision="allow")',
    'prefix_rule(pattern=["rm"], decision="forbidden")\nprefix_rule(pattern=["git"], decision="prompt")\n',
  ])("let nothing run unasked: %s", (rules) => {
    expect(hasAllowRule(rules)).toBe(false);
  });
});
