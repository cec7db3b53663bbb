import type { CatalogEntry, JsonObject } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { ToolBench } from "./test-support/tool-bench.ts";
import { uiTools } from "./ui-tool.ts";

const card = {
  name: "card",
  surface: "chat",
  props: { title: "Hello", deep: { list: [1, null] } },
};
const form = { component_name: "form", props: { field: "age" }, surface: "overlay" };
const chart: CatalogEntry = {
  name: "chart",
  description: "Numbers as bars",
  props_schema: { type: "object", properties: { data: { type: "array" } } },
  surfaces: ["panel", "canvas"],
};

describe("a component", () => {
  test("that is new gets an id, which the agent receives", async () => {
    const bench = new ToolBench();
    const answer = await bench.call("render_component", card, "toolu_1");
    expect(answer).toEqual({ text: '{"component_id":"fresh"}' });
    expect(bench.events).toEqual([
      {
        type: "component_update",
        data: { component_id: "fresh", ...card, merge: false, tool_use_id: "toolu_1" },
      },
    ]);
  });

  test("that is named keeps its id, and is merged only where that is wanted", async () => {
    const bench = new ToolBench();
    const change = { ...card, component_id: "c1", merge: true };
    await bench.call("render_component", change);
    expect(bench.events).toEqual([{ type: "component_update", data: change }]);
  });

  test("that is shown needs neither name nor surface again, and moves where another is given", async () => {
    const bench = new ToolBench();
    await bench.call("render_component", { ...card, component_id: "c1" });
    await bench.call("render_component", { component_id: "c1", props: { title: "Bye" } });
    await bench.call("render_component", { component_id: "c1", surface: "panel", props: {} });
    expect(bench.events.map(({ data }) => data)).toMatchObject([
      {},
      { name: "card", surface: "chat", props: { title: "Bye" } },
      { name: "card", surface: "panel" },
    ]);
  });

  test("is shown in the first of its surfaces where the agent names none", async () => {
    const bench = new ToolBench([chart]);
    await bench.call("render_component", { name: "chart", props: {} });
    expect(bench.events).toMatchObject([{ data: { surface: "panel" } }]);
  });

  test("is patched", async () => {
    const bench = new ToolBench();
    await bench.call("render_component", { ...card, component_id: "c1" });
    const patches = [{ op: "add", path: "/deep/list/-", value: 2 }] as const;
    await bench.call("render_component", { component_id: "c1", patches: [...patches] });
    expect(bench.events.at(-1)?.data).toMatchObject({ props: {}, merge: false, patches });
    expect(bench.ui.component("c1")?.props).toMatchObject({ deep: { list: [1, null, 2] } });
  });

  test("is taken away by its id", async () => {
    const bench = new ToolBench();
    await bench.call("render_component", { ...card, component_id: "c1" });
    expect(await bench.call("remove_component", { component_id: "c1" })).toEqual({
      text: '{"component_id":"c1"}',
    });
    expect(bench.events.at(-1)).toEqual({ type: "component_remove", data: { component_id: "c1" } });
  });
});

describe("what cannot be done does nothing, and the agent learns why:", () => {
  test.each<[string, JsonObject]>([
    ["render_component", { ...card, name: "" }],
    ["render_component", { ...card, surface: "ceiling" }],
    ["render_component", { ...card, props: [] }],
    ["render_component", { ...card, component_id: "" }],
    ["render_component", { ...card, merge: "yes" }],
    ["render_component", { component_id: "c1", patches: [{ op: "grow", path: "/a" }] }],
    ["render_component", { component_id: "c1", patches: [{ op: "add", path: "a", value: 1 }] }],
    ["remove_component", {}],
    ["remove_component", { component_id: "" }],
    ["ask_user", { ...form, component_name: "" }],
    ["ask_user", { component_name: "form", props: {} }],
    ["update_state", { patches: [] }],
    ["update_state", {}],
    ["read_state", { path: "todos" }],
  ])("%s with the input %j", async (name, input) => {
    const bench = new ToolBench();
    const { text, isError } = await bench.call(name, input);
    expect(isError).toBe(true);
    expect(text).toMatch(/^The input is not valid: .*→ at \w+/s);
    expect([...bench.events, ...bench.asked]).toEqual([]);
  });

  test.each<[string, string, JsonObject]>([
    ["Name the component", "render_component", { props: {} }],
    ["no component c9", "render_component", { component_id: "c9", props: {} }],
    ["no component c9", "render_component", { component_id: "c9", patches: [remove("/a")] }],
    ["component_id", "render_component", { name: "chart", patches: [remove("/a")] }],
    ["either props or patches", "render_component", { name: "chart" }],
    ["no component table", "render_component", { name: "table", props: {} }],
    ["Not in chat", "render_component", { name: "chart", surface: "chat", props: {} }],
    ["wrong is not allowed", "render_component", { name: "chart", props: { wrong: true } }],
    ["Properties", "render_component", { name: "chart", props: { wrong: true } }],
    [
      "The patch does not apply",
      "render_component",
      { component_id: "c1", patches: [remove("/x")] },
    ],
    ["no component c9", "remove_component", { component_id: "c9" }],
    ["no component form", "ask_user", form],
    ["The patch does not apply", "update_state", { patches: [remove("/gone")] }],
    ["version 0", "update_state", { patches: [set(1)], base_version: 7 }],
    ["nothing at /gone", "read_state", { path: "/gone" }],
  ])("%s", async (reason, name, input) => {
    const bench = new ToolBench([chart]);
    await bench.call("render_component", {
      component_id: "c1",
      name: "chart",
      props: { data: [] },
    });
    bench.events.splice(0);
    const { text, isError } = await bench.call(name, input);
    expect(text.toLowerCase()).toContain(reason.toLowerCase());
    expect(isError).toBe(true);
    expect([...bench.events, ...bench.asked]).toEqual([]);
  });
});

function remove(path: string): JsonObject {
  return { op: "remove", path };
}

function set(value: JsonObject | number): JsonObject {
  return { op: "add", path: "", value };
}

describe("a question in a component", () => {
  test.each([
    ["41", "41"],
    [{ age: 41 }, '{"age":41}'],
    [null, "null"],
  ])("answered with %j gives the agent %s", async (value, text) => {
    const bench = new ToolBench();
    bench.answer = { type: "interrupt_response", interrupt_id: "fresh", value };
    expect(await bench.call("ask_user", form, "toolu_3")).toEqual({ text });
    expect(bench.asked).toEqual([{ request_id: "fresh", ...form, tool_use_id: "toolu_3" }]);
  });

  test.each([
    ["not answered any more", undefined],
    ["answered by something else", { type: "tool_call_response", correlation_id: "a", output: 1 }],
  ] as const)("that is %s is an error", async (_, answer) => {
    const bench = new ToolBench();
    bench.answer = answer;
    const reply = { text: "The person did not answer.", isError: true };
    expect(await bench.call("ask_user", form)).toEqual(reply);
  });
});

describe("the shared state", () => {
  test("is changed for a version, and read as a whole or in part", async () => {
    const bench = new ToolBench();
    const value = { todos: [{ text: "a" }], note: null };
    const changed = await bench.call("update_state", { patches: [set(value)], base_version: 0 });
    expect(changed).toEqual({ text: '{"version":1}' });
    expect(await bench.call("read_state", {})).toEqual({
      text: JSON.stringify({ version: 1, value }),
    });
    expect(await bench.call("read_state", { path: "/todos/0" })).toEqual({
      text: '{"version":1,"value":{"text":"a"}}',
    });
    expect(await bench.call("read_state", { path: "/note" })).toEqual({
      text: '{"version":1,"value":null}',
    });
  });

  test("that is too long to read at once is read in parts", async () => {
    const bench = new ToolBench();
    bench.ui.value = { long: "x".repeat(100_000), short: 1 };
    const { text, isError } = await bench.call("read_state", {});
    expect(isError).toBe(true);
    expect(text).toContain("long, short");
    expect(text.length).toBeLessThan(1000);
  });
});

describe("what the model sees", () => {
  const shown = (catalog: readonly CatalogEntry[]) => JSON.stringify(uiTools(catalog));

  test("has the names, purposes, surfaces and schemas of the catalog", () => {
    const text = uiTools([chart])[0]?.inputSchema;
    const description = JSON.stringify(text);
    for (const part of ["chart (panel, canvas): Numbers as bars", '\\"data\\"']) {
      expect(JSON.parse(description).properties.name.description).toContain(
        part.replaceAll("\\", ""),
      );
    }
  });

  test("says which inputs are needed", () => {
    const required = uiTools([]).map(({ inputSchema }) => inputSchema["required"] ?? []);
    expect(required).toEqual([
      [],
      ["component_id"],
      ["component_name", "props", "surface"],
      ["patches"],
      [],
    ]);
  });

  test("stays bounded however large the catalog is, and names every component", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...chart,
      name: `chart_${index}`,
      description: "d".repeat(500),
      props_schema: { type: "object", description: "s".repeat(5000) },
    }));
    const text = shown(many);
    expect(text.length).toBeLessThan(30_000);
    for (const { name } of many) expect(text).toContain(name);
  });
});
