import { describe, expect, test } from "vitest";
import { exportedNames } from "./import-graph/exported-names.ts";
import { figuresOf } from "./import-graph/figures.ts";
import { folderCycles, folderImports } from "./import-graph/folder-graph.ts";
import { importsOf, type SourceText } from "./import-graph/source-file.ts";

/** Files of a package that does not exist. */
function sourcesOf(texts: Readonly<Record<string, string>>): SourceText[] {
  return Object.entries(texts).map(([path, text]) => ({
    path: `packages/planted/src/${path}`,
    text,
  }));
}

describe("an import", () => {
  test.each([
    ['import { a } from "./a.ts";', false],
    ['import { a, type B } from "./a.ts";', false],
    ['import { type A, type B } from "./a.ts";', true],
    ['import type { A } from "./a.ts";', true],
    ['import {\n  type A,\n  b,\n} from "./a.ts";', false],
    ['import a from "./a.ts";', false],
    ['import * as a from "./a.ts";', false],
    ['import "./a.ts";', false],
    ['export * from "./a.ts";', false],
    ['export type { A } from "./a.ts";', true],
    ['const { a } = await import("./a.ts");', false],
    ['type A = import("./a.ts").A;', true],
    ['type A = typeof import("./a.ts");', true],
    ['  import { a } from "./a.ts";', false],
    ['@import "./a.ts";', false],
  ])("%j is found, and whether it is a type: %j", (text, isType) => {
    expect(importsOf(text)).toEqual([{ specifier: "./a.ts", isType }]);
  });

  test("is found once, among others and after code", () => {
    const text = 'import a from "a";\nimport { b } from "b";\n\nconst c = "from";\nexport { b };\n';
    expect(importsOf(text).map(({ specifier }) => specifier)).toEqual(["a", "b"]);
  });
});

describe("folders that import each other", () => {
  test("are one group, however long the way", () => {
    const files = sourcesOf({
      "a/a.ts": 'import "../b/b.ts";',
      "b/b.ts": 'import "../c/c.ts";',
      "c/c.ts": 'import type { A } from "../a/a.ts";',
      "d/d.ts": 'import "../a/a.ts";',
    });
    const imports = folderImports(files);
    expect(folderCycles(imports)).toEqual([["a", "b", "c"]]);
    expect(folderCycles(imports.filter(({ isType }) => !isType))).toEqual([]);
  });

  test("are none where a folder imports itself or another package", () => {
    const files = sourcesOf({ "a/a.ts": 'import "./b.ts";\nimport "../../../other/src/a.ts";' });
    expect(folderImports(files)).toEqual([]);
  });
});

test("the exported names of an entry are those of its own, of its lists and of files that it exports whole", () => {
  const files = sourcesOf({
    "index.ts":
      'export { a, type B, c as d } from "./a.ts";\nexport * from "./e.ts";\nexport * as f from "f";\n',
    "e.ts": "export const e = 1;\nexport async function g() {}\nexport interface H {}\n",
  });
  const names = exportedNames("packages/planted/src/index.ts", files);
  expect([...names].toSorted()).toEqual(["B", "H", "a", "d", "e", "f", "g"]);
});

test("the figures of a package count files, lines, folders and imports against the order", () => {
  const files = sourcesOf({
    "index.ts": 'export { a } from "./1-low/a.ts";\n',
    "1-low/a.ts": 'import "../2-high/b.ts";\nexport const a = 1;\n',
    "1-low/c.ts": "export {};\n",
    "2-high/b.ts": 'import "../1-low/c.ts";\n',
  });
  expect(figuresOf(files)).toEqual({
    files: 4,
    lines: 5,
    folders: 3,
    largest: { folder: "1-low", files: 2 },
    cycles: [["1-low", "2-high"]],
    typeCycles: [["1-low", "2-high"]],
    against: ["packages/planted/src/1-low/a.ts imports ../2-high/b.ts"],
    exported: 1,
  });
});
