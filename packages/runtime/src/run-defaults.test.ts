import { expect, test } from "vitest";
import { withDefaults } from "./run-defaults.ts";

const run = { sessionId: "s", cwd: "/" };
const files = { type: "stdio", command: "files" } as const;
const web = { type: "http", url: "https://example.com" } as const;

test("a session without configuration gets the defaults", () => {
  const defaults = { effort: "low", maxTurns: 3, mcpServers: { files } };
  expect(withDefaults(run, defaults)).toEqual({ ...run, ...defaults });
  expect(withDefaults(run)).toEqual(run);
});

test("a session's own word goes first; servers, tools, hooks and limits add up", () => {
  const defaults = {
    effort: "low",
    mcpServers: { files, web },
    disallowedTools: ["Bash"],
    hookEvents: ["Stop"],
    agents: { maxAtOnce: 2, maxDepth: 1 },
  };
  const own = {
    ...run,
    effort: "high",
    mcpServers: { web: { ...web, url: "https://example.org" } },
    disallowedTools: ["Write"],
    hookEvents: ["Stop", "PreToolUse"],
    agents: { maxDepth: 0 },
  };
  expect(withDefaults(own, defaults)).toEqual({
    ...own,
    mcpServers: { files, ...own.mcpServers },
    disallowedTools: ["Bash", "Write"],
    hookEvents: ["Stop", "PreToolUse"],
    agents: { maxAtOnce: 2, maxDepth: 0 },
  });
});
