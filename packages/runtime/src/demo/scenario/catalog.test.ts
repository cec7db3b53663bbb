import { describe, expect, test } from "vitest";
import { demoScenarios, findScenario } from "./catalog.ts";

describe("findScenario", () => {
  test.each(demoScenarios)("finds $name by its own example", ({ name, example }) => {
    expect(findScenario(example)?.name).toBe(name);
  });

  test.each(["/plan", "plan", "  PLAN  ", "plan please", "show me a plan", "Please run the plan"])(
    "hears a plan in “%s”",
    (text) => expect(findScenario(text)?.name).toBe("plan"),
  );

  test("forgives one letter: a plural is as good as the name", () => {
    expect(findScenario("show me some questions")?.name).toBe("question");
  });

  test.each(["", "   ", "hello", "/planning", "my plan", "😀", "/", "constructor", "__proto__"])(
    "hears no scenario in “%s”",
    (text) => expect(findScenario(text)).toBeUndefined(),
  );

  test("names and examples are unique", () => {
    expect(new Set(demoScenarios.map(({ name }) => name)).size).toBe(demoScenarios.length);
    expect(new Set(demoScenarios.map(({ example }) => example)).size).toBe(demoScenarios.length);
  });
});
