import { expect, test } from "vitest";
import { accountFrom } from "./account.ts";

test.each([
  [{}, undefined],
  [{ apiKeySource: "none" }, undefined],
  [{ apiKeySource: "ANTHROPIC_API_KEY", apiProvider: "firstParty" }, { kind: "api_key" }],
  [{ apiProvider: "bedrock" }, { kind: "cloud" }],
  [
    { email: "ada@example.com", organization: "Acme", subscriptionType: "max" },
    { kind: "subscription", email: "ada@example.com", organization: "Acme", plan: "max" },
  ],
] as const)("the account of %j", (account, expected) => {
  expect(accountFrom({ account })).toEqual(expected);
});
