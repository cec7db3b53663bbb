import { expect, test } from "vitest";
import { ActionKind } from "./action.ts";
import { modeOf, parsePolicy } from "./policy.ts";
import { isUnrestricted } from "./unrestricted.ts";

const push = { id: "push", argv: ["git", "push"], verdict: "deny", reason: "not here" };
const policy = parsePolicy({
  version: 1,
  modes: {
    free: { extends: "unrestricted" },
    "nearly-free": { extends: "unrestricted", argv: [push] },
    "built-up": {
      extends: "planner",
      read: { inside: "allow", outside: "allow" },
      write: { inside: "allow", outside: "allow" },
      network: { local: "allow", other: "allow" },
      actions: Object.fromEntries(ActionKind.options.map((kind) => [kind, "allow"])),
      other_tools: "allow",
    },
    reader: { extends: "unrestricted", write: { inside: "deny", outside: "deny" } },
    asking: { extends: "unrestricted", actions: { privilege: "ask" } },
    offline: { extends: "unrestricted", network: { other: "deny" } },
  },
});

test.each([
  ["unrestricted", true],
  ["free", true],
  ["nearly-free", true],
  ["built-up", true],
  ["planner", false],
  ["implementation", false],
  ["reader", false],
  ["asking", false],
  ["offline", false],
])("whether %s is unrestricted goes by what it allows, not by its name: %s", (name, expected) => {
  expect(isUnrestricted(modeOf(policy, name))).toBe(expected);
});

test("a file that makes the built-in mode stricter makes it restricted", () => {
  const stricter = parsePolicy({ version: 1, modes: { unrestricted: { other_tools: "ask" } } });
  expect(isUnrestricted(modeOf(stricter, "unrestricted"))).toBe(false);
});
