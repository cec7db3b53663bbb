import { expect, test } from "vitest";
import { changedFiles } from "./tool-change.ts";

test("an edit is the difference of its strings", () => {
  const input = { file_path: "src/a.ts", old_string: "a\nb", new_string: "a\nc" };
  expect(changedFiles({ tool: "Edit", input })).toMatchObject([
    { path: "src/a.ts", change: "changed", added: 1, removed: 1 },
  ]);
});

test("several edits of a file are one change with all of them", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "", new_string: "c\nd" },
  ];
  const files = changedFiles({ tool: "MultiEdit", input: { file_path: "a.ts", edits } });
  expect(files).toMatchObject([{ path: "a.ts", added: 3, removed: 1 }]);
  expect(files?.[0]?.hunks).toHaveLength(2);
});

test("a written file is all new", () => {
  const input = { file_path: "a.md", content: "one\ntwo\n" };
  expect(changedFiles({ tool: "Write", input })).toMatchObject([
    { path: "a.md", change: "added", added: 2 },
  ]);
});

test("Codex's changes are read, whatever kind they are", () => {
  const changes = [
    { path: "a.ts", kind: "update", diff: "@@ -1 +1 @@\n-x\n+y\n" },
    { path: "b.ts", kind: "add", diff: "new\nfile\n" },
    { path: "c.ts", kind: "delete", diff: "old\n" },
    { path: "d.ts", kind: "update", diff: "@@ -1 +1 @@\n-x\n+y\n", move_path: "e.ts" },
  ];
  expect(changedFiles({ tool: "apply_patch", input: { changes } })).toMatchObject([
    { path: "a.ts", change: "changed", added: 1, removed: 1 },
    { path: "b.ts", change: "added", added: 2 },
    { path: "c.ts", change: "removed", removed: 1 },
    { path: "e.ts", oldPath: "d.ts", change: "moved" },
  ]);
});

test.each([
  undefined,
  "text",
  null,
  [],
  {},
  { file_path: "a.ts" },
  { file_path: 1, old_string: "a", new_string: "b" },
  { changes: "none" },
  { changes: [1, { path: "a.ts", kind: "add" }] },
])("a tool with the input %j changes no file", (input) => {
  const use = input === undefined ? { tool: "Read" } : { tool: "Read", input };
  expect(changedFiles(use)).toBeUndefined();
});

test("an edit has the lines of its file where they are known, and no numbers otherwise", () => {
  const input = { file_path: "/p/a.ts", old_string: "b", new_string: "c" };
  const diff = "--- /p/a.ts\n+++ /p/a.ts\n@@ -41,3 +41,3 @@\n a\n-b\n+c\n d\n";
  const known = changedFiles({ tool: "Edit", input, diff });
  expect(known?.[0]?.path).toBe("/p/a.ts");
  expect(known?.[0]?.hunks[0]?.lines[1]).toEqual({ kind: "removed", text: "b", before: 42 });
  const unknown = changedFiles({ tool: "Edit", input });
  expect(unknown?.[0]?.hunks[0]?.lines[0]).toEqual({ kind: "removed", text: "b" });
});
