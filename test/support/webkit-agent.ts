import { randomUUID } from "node:crypto";
import type { ClaudePlace } from "../../packages/runtime-claude/src/test-support/claude-place.ts";
import type { CodexPlace } from "../../packages/runtime-codex/src/test-support/codex-place.ts";
import type { WebkitSubject } from "./webkit-contract.ts";

/** Claude against the place's stand-in. */
export function claudeSubject(place: ClaudePlace): WebkitSubject {
  return {
    createRuntime: () => place.createRuntime(),
    cwd: () => place.cwd,
    prompts: {
      text: "SCENARIO:text hello there",
      long: "SCENARIO:long 300",
      endless: () => `SCENARIO:hold gate-${randomUUID()}`,
      permission: "SCENARIO:tool touch asked.txt",
      question: "SCENARIO:question",
      failure: "SCENARIO:error 400",
      tools: ["SCENARIO:write made.txt", "SCENARIO:read made.txt", "SCENARIO:agent"],
    },
    answers: {
      given: { "Which database?": "Postgres", "Which features?": ["Auth", "Search"] },
      trace: '"Which features?"="Auth, Search"',
    },
    edit: { input: { command: "echo changed", description: "other" }, trace: "changed" },
    model: "claude-haiku-4-5",
    mode: "plan",
  };
}

/** Codex against the place's stand-in. */
export function codexSubject(place: CodexPlace): WebkitSubject {
  return {
    createRuntime: () => place.createRuntime(),
    cwd: () => place.cwd,
    prompts: {
      text: "SCENARIO:text hello there",
      long: "SCENARIO:long 300",
      endless: () => `SCENARIO:hold gate-${randomUUID()}`,
      permission: "SCENARIO:tool touch asked.txt",
      question: "SCENARIO:question",
      failure: "SCENARIO:error 400",
      tools: ["SCENARIO:write made.txt", "SCENARIO:search", "SCENARIO:tool ls"],
    },
    answers: { given: [{ question: "Which database?", answer: "SQLite" }], trace: "SQLite" },
    model: "gpt-5.5",
    mode: "read-only",
  };
}
