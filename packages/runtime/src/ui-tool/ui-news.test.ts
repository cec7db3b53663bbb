import type { CatalogEntry } from "@turnwire/protocol";
import { expect, test } from "vitest";
import { CatalogMemory } from "./catalog-memory.ts";
import { MemoryUi } from "./test-support/memory-ui.ts";
import { ToolBench } from "./test-support/tool-bench.ts";
import { UiNews } from "./ui-news.ts";

function entry(name: string): CatalogEntry {
  return { name, description: `Shows ${name}`, props_schema: {}, surfaces: ["chat"] };
}

test("an agent that knows the catalog hears nothing of it until it grows, and of an entry once", () => {
  const { news, ui } = new ToolBench([entry("chart")]);
  news.markCatalogSent();
  expect(news.take()).toEqual([]);
  ui.grow(entry("table"));
  const [note, ...more] = news.take();
  expect(more).toEqual([]);
  expect(note).toContain("table (chat): Shows table");
  expect(note).not.toContain("chart");
  expect(news.take()).toEqual([]);
});

test("what was said in a part of the conversation that is gone is said again, what the tools say is not", () => {
  const { news, ui } = new ToolBench([entry("chart")]);
  news.markCatalogSent();
  ui.grow(entry("table"));
  news.take();
  news.forgetConversation();
  const [note] = news.take();
  expect(note).toContain("table");
  expect(note).not.toContain("chart");
});

test("an agent that slept hears of what was added meanwhile, and of nothing that it knew", () => {
  const memory = new CatalogMemory();
  const ui = new MemoryUi([entry("chart")]);
  new UiNews(ui, memory.of("s1")).take();
  ui.grow(entry("table"));
  const [note] = new UiNews(ui, memory.of("s1")).take();
  expect(note).toContain("table");
  expect(note).not.toContain("chart");
  expect(new UiNews(ui, memory.of("s2")).take().join()).toContain("chart");
});

test("the memory of what agents know is bounded", () => {
  const memory = new CatalogMemory();
  const first = memory.of("s0");
  expect(memory.of("s0")).toBe(first);
  for (let index = 1; index <= 600; index++) memory.of(`s${index}`);
  expect(memory.of("s0")).not.toBe(first);
});

test("an agent that knows nothing of the catalog hears of all of it", () => {
  const { news } = new ToolBench([entry("chart"), entry("table")]);
  expect(news.take().join()).toMatch(/chart.*table/s);
});

test("an agent hears of a shared state that others changed, not of what it read or changed itself", async () => {
  const bench = new ToolBench();
  const patches = [{ op: "add", path: "", value: { count: 1 } }];
  await bench.call("update_state", { patches });
  expect(bench.news.take()).toEqual([]);
  bench.ui.value = { count: 2 };
  bench.ui.version = 2;
  expect(bench.news.take()).toEqual([expect.stringContaining('(version 2): {"count":2}')]);
  bench.ui.version = 3;
  await bench.call("read_state", {});
  expect(bench.news.take()).toEqual([]);
});

test("a change of its own does not hide what others changed before it, nor does reading a part", async () => {
  const bench = new ToolBench();
  bench.ui.value = { count: 2 };
  bench.ui.version = 2;
  await bench.call("update_state", { patches: [{ op: "add", path: "/own", value: 1 }] });
  await bench.call("read_state", { path: "/own" });
  expect(bench.news.take()).toHaveLength(1);
});

test("a long state is not written out: the agent only learns that it changed", () => {
  const { news, ui } = new ToolBench();
  ui.value = "x".repeat(5000);
  ui.version = 1;
  const [note = ""] = news.take();
  expect(note).toContain("read_state");
  expect(note.length).toBeLessThan(300);
});
