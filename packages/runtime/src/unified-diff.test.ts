import { expect, test } from "vitest";
import { hunksOf, type Replacement, unifiedDiff } from "./unified-diff.ts";

const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}\n`).join("");

function replaced(old: string, next: string, source = text): Replacement {
  const start = source.indexOf(old);
  return { start, end: start + old.length, text: next };
}

test("a change has its place in the file, and three lines around it", () => {
  expect(unifiedDiff("/a.txt", hunksOf(text, [replaced("line 10", "ten")]))).toBe(
    [
      "--- /a.txt",
      "+++ /a.txt",
      "@@ -7,7 +7,7 @@",
      " line 7",
      " line 8",
      " line 9",
      "-line 10",
      "+ten",
      " line 11",
      " line 12",
      " line 13",
      "",
    ].join("\n"),
  );
});

test("a piece of a line changes the whole line, and unchanged lines of the piece do not count", () => {
  const [hunk] = hunksOf("a\nlet x = 1;\nb\n", [
    replaced("x = 1;\nb", "y = 1;\nb", "a\nlet x = 1;\nb\n"),
  ]);
  expect(hunk?.lines).toEqual([" a", "-let x = 1;", "+let y = 1;", " b"]);
});

test("lines that are added or removed shift the numbers of what follows", () => {
  const hunks = hunksOf(text, [replaced("line 2\n", "line 2\nnew\n"), replaced("line 18\n", "")]);
  expect(hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
    [1, 1],
    [15, 16],
  ]);
  expect(hunks[0]?.lines).toContain("+new");
  expect(hunks[1]?.lines.filter((line) => line.startsWith("-"))).toEqual(["-line 18"]);
});

test("changes near each other are one hunk", () => {
  const hunks = hunksOf(text, [replaced("line 5", "five"), replaced("line 8", "eight")]);
  expect(hunks).toHaveLength(1);
  expect(hunks[0]).toMatchObject({ oldStart: 2, oldLines: 10, newLines: 10 });
});

test("a text that is replaced as a whole keeps what is the same at both ends", () => {
  const next = text.replace("line 3\n", "three\n");
  const [hunk, ...more] = hunksOf(text, [{ start: 0, end: text.length, text: next }]);
  expect(more).toEqual([]);
  expect(hunk?.lines.filter((line) => !line.startsWith(" "))).toEqual(["-line 3", "+three"]);
});

test("an empty text becomes lines, and nothing changed is not a hunk", () => {
  expect(hunksOf("", [{ start: 0, end: 0, text: "a\nb\n" }])).toMatchObject([
    { oldStart: 0, oldLines: 0, newStart: 1, newLines: 2, lines: ["+a", "+b"] },
  ]);
  expect(hunksOf("a\n", [])).toEqual([]);
});
