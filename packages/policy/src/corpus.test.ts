import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { evaluateCommand } from "./evaluate.ts";
import type { Containment } from "./judge.ts";
import { defaultPolicy } from "./policy.ts";
import { plainFacts, projectFacts } from "./test-support/project.ts";

const Case = z.strictObject({
  command: z.string(),
  verdict: z.enum(["allow", "refused", "deny"]),
});
type Case = z.infer<typeof Case>;

const policy = defaultPolicy();

function casesOf(mode: string): Case[] {
  const file = join(import.meta.dirname, "test-support/corpus", `${mode}.jsonl`);
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => Case.parse(JSON.parse(line)));
}

function verdictOf(command: string, mode: string, containment: Containment = "kernel"): string {
  return evaluateCommand(command, { policy, mode, facts: projectFacts, containment }).verdict;
}

describe.each(["planner", "implementation"])("the corpus of %s", (mode) => {
  const cases = casesOf(mode);
  const benign = cases.filter(({ verdict }) => verdict === "allow");
  const attacks = cases.filter(({ verdict }) => verdict !== "allow");

  test("has at least 200 commands, 100 of them harmless", () => {
    expect(cases.length).toBeGreaterThanOrEqual(200);
    expect(benign.length).toBeGreaterThanOrEqual(100);
  });

  test("has no attack that is allowed", () => {
    expect(attacks.filter(({ command }) => verdictOf(command, mode) === "allow")).toEqual([]);
  });

  test("has no forbidden command that is less than denied", () => {
    const forbidden = attacks.filter(({ verdict }) => verdict === "deny");
    expect(forbidden.filter(({ command }) => verdictOf(command, mode) !== "deny")).toEqual([]);
  });

  test("has no harmless command that is refused", () => {
    const context = { policy, mode, facts: plainFacts, containment: "kernel" } as const;
    const refused = benign.filter(
      ({ command }) => evaluateCommand(command, context).verdict !== "allow",
    );
    expect(refused).toEqual([]);
  });

  test("is nowhere looser without containment", () => {
    const strictness = ["allow", "ask", "deny"];
    const looser = cases.filter(
      ({ command }) =>
        strictness.indexOf(verdictOf(command, mode, "none")) <
        strictness.indexOf(verdictOf(command, mode)),
    );
    expect(looser).toEqual([]);
  });

  test("is refused as a whole where it is put behind a harmless command", () => {
    const chained = attacks.filter(({ command }) => !/[#\n]|<<|^\s*[)]/.test(command));
    const allowed = chained.filter(({ command }) => verdictOf(`ls; ${command}`, mode) === "allow");
    expect(allowed).toEqual([]);
  });
});

test("everything is allowed in the mode unrestricted", () => {
  const all = [...casesOf("planner"), ...casesOf("implementation")];
  expect(all.filter(({ command }) => verdictOf(command, "unrestricted") !== "allow")).toEqual([]);
});
