import { demoScenarios } from "../../../../../packages/runtime/src/demo/scenario/catalog.ts";
import { expect, test } from "vitest";
import { mainScenarios, scenarioShows, testScenarios } from "../../test-support/scenario.ts";

test("there is a picture of every scenario", () => {
  const names = demoScenarios.map(({ name }) => name);
  expect(Object.keys(scenarioShows).toSorted()).toEqual(names.toSorted());
});

testScenarios((name) => mainScenarios.includes(name));
