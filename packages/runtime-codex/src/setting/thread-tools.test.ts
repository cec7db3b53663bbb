import type { CatalogEntry } from "@turnwire/protocol";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readThreadTools } from "./thread-tools.ts";
import { uiNamespaceTools } from "../protocol/ui-namespace.ts";

const chart: CatalogEntry = {
  name: "chart",
  description: "Numbers as bars",
  props_schema: { type: "object" },
  surfaces: ["chat"],
};

async function fileWith(content: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "turnwire-thread-tools-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, "rollout.jsonl");
  await writeFile(path, content);
  return path;
}

function thread(dynamic_tools?: unknown): Promise<string> {
  const head = JSON.stringify({ type: "session_meta", payload: { id: "t", dynamic_tools } });
  return fileWith(`${head}\n{"type":"turn"}\n`);
}

const lookup = { type: "function", name: "turnwire_lookup", inputSchema: {} };

test.each([
  ["no tools", undefined],
  ["null", null],
  ["tools of a page only", [lookup]],
])("a thread that was started with %s has none of ours", async (_, tools) => {
  const expected = { hasUiTools: false, knowsCatalog: false };
  expect(await readThreadTools(await thread(tools), [chart])).toEqual(expected);
});

test("a thread knows the catalog that it was started with, and no other", async () => {
  const path = await thread([uiNamespaceTools([chart]), lookup]);
  expect(await readThreadTools(path, [chart])).toEqual({ hasUiTools: true, knowsCatalog: true });
  const grown = [chart, { ...chart, name: "table" }];
  expect(await readThreadTools(path, grown)).toEqual({ hasUiTools: true, knowsCatalog: false });
});

test.each([
  ["that is missing", async () => "/nowhere/rollout.jsonl"],
  ["without a path", async () => undefined],
  ["that is empty", () => fileWith("")],
  ["that is something else", () => fileWith("hello\n")],
])("a thread with a file %s is taken for one of ours", async (_, path) => {
  const expected = { hasUiTools: true, knowsCatalog: false };
  expect(await readThreadTools(await path(), [chart])).toEqual(expected);
});
