import { describe, expect, test } from "vitest";
import { Redactor } from "./redact.ts";

const redactor = new Redactor({ ANTHROPIC_API_KEY: "canary-key-1", HOME: "/home/ann" });
redactor.add("canary-token-2");

describe("what is logged", () => {
  test.each([
    ["the server's token", "it was canary-token-2 again"],
    ["a key of the environment", "ANTHROPIC said canary-key-1."],
    ["an Authorization header", "Authorization: Bearer canary-xyz-3"],
    ["a bearer anywhere", 'fetch failed {"auth":"bearer canary-xyz-3"}'],
    ["a cookie", "cookie: turnwire=canary-xyz-3; a=b"],
    ["a page key", '"x-turnwire-page-key": "canary-xyz-3"'],
    ["a key of a provider", "invalid x: sk-ant-canary-xyz-3"],
    ["a login code", "GET /login/canary-xyz-3 404"],
    ["a query string", "GET http://127.0.0.1:1/sessions?access=canary-xyz-3 failed"],
    ["a password of a database", "no postgres://ann:canary-xyz-3@canary-xyz-4@db/turnwire"],
    ["a token in a text", "url token=canary-xyz-3 end"],
  ])("never contains %s", (_, text) => {
    const safe = redactor.text(text);
    expect(safe).not.toContain("canary");
    expect(safe).toContain("[redacted]");
  });

  test("keeps ordinary words, paths and numbers", () => {
    const text = "/home/ann/code: commit took 1200 ms (ENOSPC), 3 of 4 at 127.0.0.1:4747";
    expect(redactor.text(text)).toBe(text);
  });

  test("is clean however deep a secret stands, in errors and their causes too", () => {
    const cause = new Error("cookie: canary-xyz-3");
    const error = new Error("canary-token-2", { cause });
    const facts = { error, list: [{ deep: "canary-key-1" }], api_key: "canary", count: 3 };
    const safe = redactor.value(facts);
    expect(JSON.stringify(safe)).not.toContain("canary");
    expect(safe).toMatchObject({ count: 3, error: { name: "Error", cause: { name: "Error" } } });
  });

  test("is not hidden by empty or short values of the environment", () => {
    const short = new Redactor({ SOME_KEY: "on", OTHER_TOKEN: "" });
    expect(short.text("the light is on")).toBe("the light is on");
  });
});
