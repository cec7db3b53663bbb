import { expect, test } from "vitest";
import { containmentProblem } from "./capabilities.ts";
import { noCapabilities } from "./no-capabilities.ts";

const held = { ...noCapabilities, containment: { kind: "kernel" as const } };
const problem = "bubblewrap is not installed.";
const unheld = { ...noCapabilities, containment: { kind: "none" as const, problem } };

test("a session under a policy mode states why its commands are not contained", () => {
  expect(containmentProblem({ policy_mode: "planner", capabilities: unheld })).toBe(problem);
  expect(containmentProblem({ policy_mode: "planner", capabilities: held })).toBeUndefined();
  const sandbox = { kind: "commands", network: false };
  expect(containmentProblem({ policy_mode: "planner", capabilities: held, sandbox })).toContain(
    "sandbox",
  );
});

test("without a policy mode, or where an agent runs no commands, there is nothing to state", () => {
  expect(containmentProblem({ capabilities: unheld })).toBeUndefined();
  expect(containmentProblem({ policy_mode: null, capabilities: unheld })).toBeUndefined();
  const capabilities = noCapabilities;
  expect(containmentProblem({ policy_mode: "planner", capabilities })).toBeUndefined();
});
