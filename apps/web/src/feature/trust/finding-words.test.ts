import type { TrustFinding } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { findingsFor, findingWords, kindLabel } from "./finding-words.ts";

function found(kind: TrustFinding["kind"], path: string, runtimes = ["claude"]): TrustFinding {
  return { kind, path, runtimes, can_execute: kind === "hook" };
}

test("what was found is one phrase, instructions by their names", () => {
  expect(findingWords([found("instructions", "CLAUDE.md")])).toBe("CLAUDE.md");
  expect(
    findingWords([
      found("mcp_server", ".mcp.json"),
      found("hook", ".claude/settings.json"),
      found("hook", ".claude/settings.json"),
      found("instructions", "AGENTS.md"),
      found("instructions", "CLAUDE.md"),
    ]),
  ).toBe("AGENTS.md, CLAUDE.md, 2 hooks and 1 MCP server");
  const many = ["a", "b", "c"].map((path) => found("instructions", path));
  expect(findingWords(many)).toBe("3 instruction files");
  expect(findingWords([])).toBe("nothing");
});

test("only what an agent reads concerns it", () => {
  const all = [found("instructions", "CLAUDE.md"), found("instructions", "AGENTS.md", ["codex"])];
  expect(findingsFor(all, "codex").map(({ path }) => path)).toEqual(["AGENTS.md"]);
  expect(findingsFor(all, "demo")).toEqual([]);
  expect(findingsFor(all, undefined)).toHaveLength(2);
});

test("kinds are labels", () => {
  expect(kindLabel("mcp_server")).toBe("MCP server");
  expect(kindLabel("hook")).toBe("Hook");
});
