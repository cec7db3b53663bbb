import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { loadCommands } from "./cli.ts";
import { fillCommandPage } from "./test-support/command-page.ts";

const path = new URL("../../../docs/guides/command-line.md", import.meta.url);

test("the guide has every command and option as they are; `vitest -u` writes them", async () => {
  const page = await readFile(path, "utf8");
  await expect(fillCommandPage(page, await loadCommands())).toMatchFileSnapshot(path.pathname);
});
