import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../tools/published-package.ts";

const KB = 1000;

/** Pages that a person reads from beginning to end; the rest belongs into docs. */
test.each([
  ["README.md", 7 * KB],
  ["ARCHITECTURE.md", 6 * KB],
  ["PROTOCOL.md", 50 * KB],
  ["ARCHITECTURE.md", 6 * KB],
])("%s stays under %i bytes", async (path, limit) => {
  const page = await readFile(join(root, path));
  expect(page.byteLength).toBeLessThanOrEqual(limit);
});

test("README.md has one command that starts Turnwire and one that tests it", async () => {
  const page = await readFile(join(root, "README.md"), "utf8");
  const [, block = ""] = /^```\n([^]*?)^```$/m.exec(page) ?? [];
  const commands = block.split("\n").map((line) => line.replace(/\s*#.*/, ""));
  expect(commands).toEqual(["npm install && npm start", "npm install && npm test", ""]);
});
