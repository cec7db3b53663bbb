import type { PolicyModeInfo } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { policyModeOptions } from "./policy-mode-option.ts";

function mode(name: string, more: Partial<PolicyModeInfo> = {}): PolicyModeInfo {
  return {
    name,
    description: `${name} it is`,
    is_built_in: true,
    is_unrestricted: false,
    level: "built_in",
    ...more,
  };
}

const modes = [mode("planner", { max_turns: 30 }), mode("free", { is_unrestricted: true })];

function labels(options: ReturnType<typeof policyModeOptions>): readonly string[] {
  return options.map(({ label }) => label);
}

test("without a default there is one choice that is not a policy", () => {
  expect(labels(policyModeOptions({ modes }))).toEqual(["No policy", "Planner", "free"]);
});

test("the server's default is another choice than no policy, and says what it is", () => {
  const options = policyModeOptions({ modes, defaultMode: "planner" });
  expect(labels(options).slice(0, 2)).toEqual(["Server default (Planner)", "No policy"]);
  expect(options[0]).toMatchObject({ description: "planner it is", isRisky: false });
  expect(new Set(options.map(({ value }) => value)).size).toBe(options.length);
});

test("a default that cannot be chosen says why, one that deserves care is marked", () => {
  const broken = mode("careful", { problem: "Its file cannot be read." });
  const [first] = policyModeOptions({ modes: [...modes, broken], defaultMode: "careful" });
  expect(first).toMatchObject({ description: "Its file cannot be read." });
  const [gone] = policyModeOptions({ modes, defaultMode: "gone" });
  expect(gone).toMatchObject({ description: "Not known any more." });
  const [free] = policyModeOptions({ modes, defaultMode: "free" });
  expect(free).toMatchObject({ isRisky: true });
});

test("a mode that allows everything is marked by what the server says of it, not by its name", () => {
  const stricter = mode("unrestricted");
  const risky = policyModeOptions({ modes: [...modes, stricter] }).filter(({ isRisky }) => isRisky);
  expect(labels(risky)).toEqual(["free"]);
});

test("a mode in use that is not known any more stays in the list", () => {
  expect(labels(policyModeOptions({ modes, current: "gone" })).at(-1)).toBe("gone");
});
