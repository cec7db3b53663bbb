import { expect, test } from "vitest";
import { accountText } from "./account.ts";

test.each([
  [{ kind: "api_key" }, "API key"],
  [{ kind: "cloud" }, "cloud provider"],
  [{ kind: "subscription", email: "ada@example.com" }, "subscription · ada@example.com"],
  [
    { kind: "subscription", email: "ada@example.com", organization: "Acme", plan: "pro" },
    "pro plan · ada@example.com · Acme",
  ],
] as const)("an account is named by how it is paid and by whom", (account, text) => {
  expect(accountText(account)).toBe(text);
});
