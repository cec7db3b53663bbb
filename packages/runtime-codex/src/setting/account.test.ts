import { expect, test } from "vitest";
import { accountFrom } from "./account.ts";

test.each([
  [{ account: null }, undefined],
  [{ account: { type: "apiKey" } }, { kind: "api_key" }],
  [{ account: { type: "amazonBedrock", usesCodexManagedCredentials: false } }, { kind: "cloud" }],
  [
    { account: { type: "chatgpt", email: null, planType: "unknown", workspaceName: null } },
    { kind: "subscription" },
  ],
  [
    {
      account: {
        type: "chatgpt",
        email: "ada@example.com",
        planType: "pro",
        workspaceName: "Acme",
      },
    },
    { kind: "subscription", email: "ada@example.com", organization: "Acme", plan: "pro" },
  ],
  [{ account: { type: "of a later version" } }, undefined],
  ["nonsense", undefined],
])("the account of %j", (response, account) => {
  expect(accountFrom(response)).toEqual(account);
});
