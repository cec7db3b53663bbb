import { describe, expect, test } from "vitest";
import { saysDone, verdictOf } from "./last-line.ts";
import type { StepEnd } from "./next-move.ts";
import type { RunPlan } from "./plan.ts";
import { reviewPrompt, workPrompt } from "./prompt-text.ts";

const plan: RunPlan = {
  task: "Mend the build.",
  until: undefined,
  review: undefined,
  isFresh: false,
  isStructured: false,
  maxIterations: 3,
};
const worked: StepEnd = { type: "work", iteration: 1, outcome: "ok", answer: "I mended half." };
const failed: StepEnd = {
  type: "review",
  iteration: 1,
  outcome: "ok",
  answer: "The lock file is missing.\nFAIL",
};

describe("what a worker is sent", () => {
  test("is the task and nothing else where there is one turn", () => {
    expect(workPrompt(plan, [])).toBe("Mend the build.");
  });

  test("says how to report the end, in a way that is not a report when it is repeated", () => {
    const prompt = workPrompt({ ...plan, until: "DONE" }, []);
    expect(prompt).toMatch(/^Mend the build\.\n\n.*DONE/s);
    expect(saysDone(prompt, "DONE")).toBe(false);
  });

  test("is a request to continue where the session knows the task", () => {
    const prompt = workPrompt({ ...plan, until: "DONE" }, [worked]);
    expect(prompt).toMatch(/^Continue with the task\./);
    expect(prompt).not.toContain("Mend the build.");
  });

  test("is the task again where the session is fresh", () => {
    const prompt = workPrompt({ ...plan, until: "DONE", isFresh: true }, [worked]);
    expect(prompt).toMatch(/^Mend the build\.\n\nYou are not the first to work on this/);
  });

  test("has the notes of a review, without its verdict", () => {
    const prompt = workPrompt(plan, [worked, failed]);
    expect(prompt).toContain("did not accept it:\n\nThe lock file is missing.\n\n");
    expect(prompt).not.toContain("FAIL");
    const fresh = workPrompt({ ...plan, isFresh: true }, [worked, failed]);
    expect(fresh).toContain("Mend the build.");
    expect(fresh).toContain("The lock file is missing.");
  });

  test("says where a review had no clear verdict, or no notes", () => {
    expect(workPrompt(plan, [worked, { ...failed, answer: "Hm." }])).toContain("no clear verdict");
    expect(workPrompt(plan, [worked, { ...failed, answer: "FAIL" }])).toContain("(no notes)");
  });
});

describe("what a reviewer is sent", () => {
  test("has the task and the report, fenced so that neither can end its fence", () => {
    const prompt = reviewPrompt({ ...plan, task: "Mend:\n````\ncode\n````" }, worked);
    expect(prompt).toContain("`````\nMend:\n````\ncode\n````\n`````");
    expect(prompt).toContain("```\nI mended half.\n```");
  });

  test("is not a verdict when it is repeated", () => {
    expect(verdictOf(reviewPrompt(plan, worked))).toBeUndefined();
    expect(verdictOf(reviewPrompt(plan, { ...worked, answer: "PASS" }))).toBeUndefined();
  });

  test("has the beginning and the end of a long report", () => {
    const answer = `first${"x".repeat(100_000)}last`;
    const prompt = reviewPrompt(plan, { ...worked, answer });
    expect(prompt.length).toBeLessThan(25_000);
    expect(prompt).toContain("first");
    expect(prompt).toContain("last");
  });
});
