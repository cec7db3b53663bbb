import type { Block, ToolBlock } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { changeCount } from "./change-count.ts";

function edit(facts: Partial<ToolBlock>): Block {
  const base = { type: "tool", key: "k", tool_use_id: "k", tool: "Edit", streamed: "" } as const;
  const input = { file_path: "a.ts", old_string: "one", new_string: "two\nthree" };
  return { ...base, status: "done", input, file_path: "a.ts", ...facts };
}

const diff = "--- /p/b.ts\n+++ /p/b.ts\n@@ -7,2 +7,1 @@\n kept\n-gone\n";

test("a turn's changes are counted over its tools and sub-agents, each file once", () => {
  const subagent: Block = {
    type: "subagent",
    key: "s",
    subagent_id: "s",
    name: "helper",
    status: "completed",
    tool_calls: 1,
    file_changes: 1,
    blocks: [edit({ diff, file_path: "/p/b.ts" })],
    started_at: "",
  };
  expect(changeCount([edit({}), edit({}), subagent])).toEqual({ files: 2, added: 4, removed: 3 });
});

test("what failed changed nothing", () => {
  expect(changeCount([edit({ status: "failed" }), edit({ status: "running" })])).toBeUndefined();
});

test("the runtime's own diff of the turn counts alone", () => {
  expect(changeCount([edit({}), { type: "diff", key: "d", unified: diff }])).toEqual({
    files: 1,
    added: 0,
    removed: 1,
  });
});
