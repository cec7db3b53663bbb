import { describe, expect, test } from "vitest";
import { diffFileFromTexts, diffFilesFrom, diffPairs } from "./diff-file.ts";

const unified = `diff --git a/src/a.ts b/src/a.ts
index 111..222 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@
 one
-two
+TWO
+two and a half
 three
diff --git a/new.md b/new.md
new file mode 100644
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+hello
\\ No newline at end of file
diff --git a/old.md b/old.md
deleted file mode 100644
--- a/old.md
+++ /dev/null
@@ -1 +0,0 @@
-bye
`;

describe("diffFilesFrom", () => {
  test("every file of a diff is found, with how it changed and by how much", () => {
    const files = diffFilesFrom(unified)?.map(({ hunks: _hunks, ...facts }) => facts);
    expect(files).toEqual([
      { path: "src/a.ts", change: "changed", added: 2, removed: 1 },
      { path: "new.md", change: "added", added: 1, removed: 0 },
      { path: "old.md", change: "removed", added: 0, removed: 1 },
    ]);
  });

  test("lines have their numbers before and after", () => {
    expect(diffFilesFrom(unified)?.[0]?.hunks[0]?.lines).toEqual([
      { kind: "context", text: "one", before: 1, after: 1 },
      { kind: "removed", text: "two", before: 2 },
      { kind: "added", text: "TWO", after: 2 },
      { kind: "added", text: "two and a half", after: 3 },
      { kind: "context", text: "three", before: 3, after: 4 },
    ]);
  });

  test("a file that moved tells from where", () => {
    const moved = "--- a/old/name.ts\n+++ b/new/name.ts\n@@ -1 +1 @@\n-a\n+b\n";
    expect(diffFilesFrom(moved)?.[0]).toMatchObject({
      path: "new/name.ts",
      oldPath: "old/name.ts",
      change: "moved",
    });
  });

  test.each(["", "just words", "@@ -1 +1 @@\n-a\n+b", "--- a\n+++ b\n@@ -1,9 +1,9 @@\n-a\n"])(
    "%j is not a diff",
    (text) => {
      expect(diffFilesFrom(text)).toBeUndefined();
    },
  );
});

describe("diffFileFromTexts", () => {
  test("only what differs is a change", () => {
    const file = diffFileFromTexts({ path: "a", before: "x\ny\nz", after: "x\nY\nz" });
    expect(file.hunks[0]?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "context x",
      "removed y",
      "added Y",
      "context z",
    ]);
  });

  test("a text out of nothing is a new file", () => {
    expect(diffFileFromTexts({ path: "a", before: "", after: "x\ny\n" })).toMatchObject({
      change: "added",
      added: 2,
      removed: 0,
    });
  });

  test("texts that have nothing in common are shown as one for the other, without long work", () => {
    const before = Array.from({ length: 3_000 }, (_, index) => `a${index}`).join("\n");
    const after = Array.from({ length: 3_000 }, (_, index) => `b${index}`).join("\n");
    expect(diffFileFromTexts({ path: "a", before, after })).toMatchObject({
      added: 3_000,
      removed: 3_000,
    });
  });
});

describe("diffPairs", () => {
  test("what was stands beside what is", () => {
    const [hunk] = diffFilesFrom(unified)?.[0]?.hunks ?? [];
    const pairs = hunk && diffPairs(hunk).map(({ before, after }) => [before?.text, after?.text]);
    expect(pairs).toEqual([
      ["one", "one"],
      ["two", "TWO"],
      [undefined, "two and a half"],
      ["three", "three"],
    ]);
  });
});
