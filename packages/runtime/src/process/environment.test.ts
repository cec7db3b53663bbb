import { describe, expect, onTestFinished, test } from "vitest";
import { childEnvironment } from "./environment.ts";

describe("childEnvironment", () => {
  test("holds what is allowed and what is added, and nothing else", () => {
    process.env.TURNWIRE_TEST_ALLOWED = "yes";
    process.env.TURNWIRE_TEST_SECRET = "no";
    onTestFinished(() => {
      delete process.env.TURNWIRE_TEST_ALLOWED;
      delete process.env.TURNWIRE_TEST_SECRET;
    });
    const allow = ["TURNWIRE_TEST_ALLOWED", "TURNWIRE_TEST_MISSING"];
    expect(childEnvironment(allow, { ADDED: "1" })).toEqual({
      TURNWIRE_TEST_ALLOWED: "yes",
      ADDED: "1",
    });
  });

  test("what is added wins over what is inherited", () => {
    expect(childEnvironment(["PATH"], { PATH: "/only/here" })).toEqual({ PATH: "/only/here" });
  });

  test("starts empty", () => {
    expect(childEnvironment([])).toEqual({});
  });
});
