import { expect, test } from "vitest";
import { decisionSource, decisionTitle, reasonSentence } from "./decision-words.ts";

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

test("a reason becomes a sentence, whatever it is", () => {
  expect(reasonSentence("it writes /etc/hosts")).toBe("It writes /etc/hosts.");
  expect(reasonSentence("Really?")).toBe("Really?");
  expect(reasonSentence("  ")).toBe("");
});
