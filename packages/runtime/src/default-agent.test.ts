import { expect, test } from "vitest";
import { missingAgents } from "./default-agent.ts";

function namesBeside(defined?: readonly string[]): string[] {
  return missingAgents(defined).map(({ name }) => name);
}

test("a session has an implementer and a reviewer where no file defines one of that name", () => {
  expect(namesBeside()).toEqual(["implementer", "reviewer"]);
  expect(namesBeside(["explorer"])).toEqual(["implementer", "reviewer"]);
  expect(namesBeside(["Reviewer"])).toEqual(["implementer"]);
  expect(namesBeside(["implementer", "reviewer"])).toEqual([]);
});
