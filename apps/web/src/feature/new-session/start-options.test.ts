import { expect, test } from "vitest";
import { startBody } from "./start-options.ts";

const facts = { branch: "", hasGit: true, hasSandbox: true, budgetKinds: ["turns"] as const };

test("a worktree has the branch that was typed, else one of the server's", () => {
  expect(startBody({ worktree: "new" }, facts)).toEqual({ worktree: true });
  expect(startBody({ worktree: "new" }, { ...facts, branch: " fix/login " })).toEqual({
    worktree: { branch: "fix/login" },
  });
});

test("a sandbox is asked for with or without the network", () => {
  expect(startBody({ sandbox: "network" }, facts)).toEqual({ sandbox: { network: true } });
  expect(startBody({ sandbox: "no_network" }, facts)).toEqual({ sandbox: { network: false } });
});

test("what was remembered but cannot be had here is left out", () => {
  expect(startBody({ worktree: "new" }, { ...facts, hasGit: false })).toEqual({});
  expect(startBody({ sandbox: "network" }, { ...facts, hasSandbox: false })).toEqual({});
  expect(startBody({ budget: { turns: 2, cost_usd: 5 } }, facts)).toEqual({ budget: { turns: 2 } });
  expect(startBody({ budget: { cost_usd: 5 } }, facts)).toEqual({});
});
