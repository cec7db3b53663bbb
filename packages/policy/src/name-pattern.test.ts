import { assert, constantFrom, property, array, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { type NamePart, NamePattern, writtenPattern } from "./name-pattern.ts";

const part = constantFrom<NamePart>("one", "many", { text: "a" }, { text: "b" }, { text: "ab" });

describe("a pattern for a name", () => {
  test("fits the names that a regular expression of the same meaning fits", () => {
    const sign = { one: ".", many: ".*" } as const;
    assert(
      property(
        array(part, { maxLength: 6 }),
        string({ unit: constantFrom("a", "b"), maxLength: 8 }),
        (parts, name) => {
          const source = parts.map((one) => (typeof one === "string" ? sign[one] : one.text));
          const isFit = new RegExp(`^${source.join("")}$`).test(name);
          expect(new NamePattern(parts).test(name)).toBe(isFit);
        },
      ),
    );
  });

  test("hides names with a dot, ignores case unless asked not to", () => {
    expect(new NamePattern(["many"], { hidesDots: true }).test(".env")).toBe(false);
    expect(new NamePattern(["many"]).test(".env")).toBe(true);
    expect(writtenPattern("*.PEM").test("key.pem")).toBe(true);
    expect(writtenPattern("mcp__*", { matchesCase: true }).test("MCP__x")).toBe(false);
  });

  test("with thousands of stars is answered at once", () => {
    const parts = Array.from({ length: 4_000 }, (_, index): NamePart =>
      index % 2 === 0 ? "many" : { text: "a" },
    );
    expect(new NamePattern([...parts, { text: "!" }]).test("a".repeat(4_000))).toBe(false);
    expect(writtenPattern(`${"*a".repeat(2_000)}!`).test("a".repeat(4_000))).toBe(false);
  });
});
