import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { builtApp } from "../test-support/built-app.ts";

/** The scripts that a page loads before it can show anything: the entry and all it imports at once. */
function firstScripts(root: string): ReadonlySet<string> {
  const page = readFileSync(join(root, "index.html"), "utf8");
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const code = readFileSync(join(root, path), "utf8");
    for (const [, name = ""] of code.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
      add(join("assets", name));
    }
  };
  for (const [, path = ""] of page.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)) add(path);
  return found;
}

test("the first load is under 300 kB of compressed JavaScript", async () => {
  const root = await builtApp();
  const scripts = firstScripts(root);
  expect([...scripts].some((path) => path.startsWith("assets/"))).toBe(true);
  const sizes = [...scripts].map((path) => gzipSync(readFileSync(join(root, path))).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300_000);
});
