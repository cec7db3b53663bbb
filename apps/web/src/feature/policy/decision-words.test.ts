import { expect, test } from "vitest";
import { containmentWords, decisionSource, decisionTitle, reasonEnding } from "./decision-words.ts";

test("a decision names its rule, mode and the beginning of its version", () => {
  const decision = { rule: "write.outside", mode: "planner", policy_version: "0123456789abcdef" };
  expect(decisionSource(decision)).toBe(
    "Rule `write.outside` · mode `planner` · version `01234567`",
  );
});

test("each verdict has its words", () => {
  expect(decisionTitle({ verdict: "allow" })).toBe("Allowed by policy");
  expect(decisionTitle({ verdict: "ask" })).toBe("Asked because of the policy");
  expect(decisionTitle({ verdict: "deny" })).toBe("Refused by policy");
});

test("a command states whether the kernel holds it", () => {
  expect(containmentWords(undefined)).toBeUndefined();
  expect(containmentWords("none")).toBe("Once allowed, it runs outside containment.");
  expect(containmentWords("without_network")).toBe("Ran contained, without a network.");
  expect(containmentWords("with_network")).toBe("Ran contained.");
});

test("a reason ends a sentence, whatever it is, and leaves the command it begins with alone", () => {
  expect(reasonEnding("it writes /etc/hosts")).toBe("it writes /etc/hosts.");
  expect(reasonEnding("curl a.com: connects to a.com")).toBe("curl a.com: connects to a.com.");
  expect(reasonEnding("Really?")).toBe("Really?");
  expect(reasonEnding("  ")).toBe("");
});
