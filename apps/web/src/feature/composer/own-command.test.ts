import { noCapabilities } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { commandsOf, reviewIn } from "./own-command.ts";

const reviewing = { ...noCapabilities, review: true };

test.each([
  ["/review", { type: "uncommitted_changes" }],
  [" /review branch main\n", { type: "base_branch", branch: "main" }],
  ["/reviewer", undefined],
  ["a /review", undefined],
])("%j has reviewed what it names", (text, target) => {
  expect(reviewIn(text, reviewing)).toEqual(target);
});

test("an agent without reviews has the command to itself", () => {
  expect(reviewIn("/review", noCapabilities)).toBeUndefined();
  expect(commandsOf(noCapabilities)).toEqual([]);
  expect(commandsOf(reviewing).map(({ name }) => name)).toEqual(["review"]);
});
