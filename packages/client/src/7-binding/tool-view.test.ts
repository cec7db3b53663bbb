import type { CatalogEntry, ComponentBlock, ToolBlock } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { toolView } from "./tool-view.ts";

const weather: CatalogEntry = {
  name: "weather",
  description: "The weather of a city.",
  props_schema: { type: "object" },
  surfaces: ["chat", "sidebar"],
  tools: [{ tool: "mcp__weather__forecast" }, { tool: "alarm", surface: "sidebar" }],
};

const context = { catalog: [weather], has: (name: string) => name !== "map" };

function used(parts: Partial<ToolBlock>): ToolBlock {
  const base = { type: "tool", key: "k", tool_use_id: "t1", streamed: "" } as const;
  return { ...base, tool: "mcp__weather__forecast", status: "running", ...parts };
}

const place = { component_id: "tool:t1", name: "weather", surface: "chat" } as const;

describe("a tool that the catalog has a component for", () => {
  test("is that component from its beginning, with as much of the input as there is", () => {
    const view = toolView(used({ status: "preparing", partial_input: '{"city":"Ne' }), context);
    expect(view).toEqual({
      type: "component",
      placed: { ...place, props: { city: "Ne" }, status: "loading" },
    });
    expect(toolView(used({ input: { city: "Nice" } }), context)).toMatchObject({
      placed: { props: { city: "Nice" }, status: "loading" },
    });
  });

  test.each([
    ["an object", { degrees: 21 }, { degrees: 21 }],
    ["JSON in a text", '{"degrees":21}', { degrees: 21 }],
    ["JSON in blocks of MCP", [{ type: "text", text: '{"degrees":21}' }], { degrees: 21 }],
    ["a list in JSON", "[1,2]", { output: [1, 2] }],
    ["a text", "sunny", { output: "sunny" }],
  ])("is filled by its result: %s", (_name, output, props) => {
    const view = toolView(used({ status: "done", input: { city: "Nice" }, output }), context);
    expect(view).toMatchObject({
      placed: { props: { city: "Nice", ...props }, status: "ready" },
    });
  });

  test("that failed says why", () => {
    const view = toolView(used({ status: "failed", input: {}, output: "no network" }), context);
    expect(view).toMatchObject({ placed: { status: "error", error: "no network" } });
    expect(toolView(used({ status: "abandoned" }), context)).toMatchObject({
      placed: { status: "error" },
    });
  });

  test("outside the chat stays a tool use in the chat", () => {
    expect(toolView(used({ tool: "alarm" }), context)).toEqual({ type: "tool" });
  });

  test("that this page does not have stays a tool use", () => {
    expect(toolView(used({}), { ...context, has: () => false })).toEqual({ type: "tool" });
  });

  test("with large parts beside the log is made of the whole", async () => {
    const attachments = [
      { path: "/output", digest: "sha256-0", size: 9, media_type: "text/plain", encoding: "text" },
    ] as const;
    const view = toolView(used({ status: "done", output: "a preview", attachments }), context);
    const load = view.type === "component" ? view.placed.load : undefined;
    const restore = async <Value>(block: Value): Promise<Value> => {
      const whole = { output: '{"degrees":21}', attachments: undefined };
      return { ...block, ...whole };
    };
    expect(await load?.({ restore })).toMatchObject({ props: { degrees: 21 }, status: "ready" });
  });
});

describe("a tool that shows components", () => {
  const render = (parts: Partial<ToolBlock>) =>
    used({ tool: "mcp__turnwire__render_component", ui_tool: "render_component", ...parts });
  const partial_input = '{"name":"weather","surface":"chat","props":{"city":"Ni';

  test("is the component while the model still writes it", () => {
    expect(toolView(render({ status: "preparing", partial_input }), context)).toEqual({
      type: "component",
      placed: { ...place, props: { city: "Ni" }, status: "loading" },
    });
  });

  test("is where the catalog has it, if the model does not say", () => {
    const anywhere = '{"name":"weather","props":{"city":"Ni';
    const view = toolView(render({ status: "preparing", partial_input: anywhere }), context);
    expect(view).toMatchObject({ placed: { surface: "chat", props: { city: "Ni" } } });
  });

  test("is nothing before its component is known, and once the component represents it", () => {
    const component: ComponentBlock = {
      type: "component",
      key: "c",
      component_id: "c1",
      name: "weather",
      props: {},
      tool_use_id: "t1",
    };
    const input = { name: "weather", surface: "chat", props: { city: "Nice" } };
    const early = render({ status: "preparing", partial_input: '{"name":"wea' });
    expect(toolView(early, context)).toEqual({ type: "nothing" });
    expect(toolView(render({ input }), context)).toMatchObject({ type: "component" });
    expect(toolView(render({ input }), context, [component])).toEqual({ type: "nothing" });
    expect(toolView(render({ input, status: "done" }), context)).toEqual({ type: "nothing" });
  });

  test("does not show a change of what is there before it is made", () => {
    const change = `{"component_id":"c1",${partial_input.slice(1)}`;
    const view = toolView(render({ status: "preparing", partial_input: change }), context);
    expect(view).toEqual({ type: "nothing" });
  });

  test("stays a tool use where it failed, or shows what this page does not have", () => {
    expect(toolView(render({ status: "failed" }), context)).toEqual({ type: "tool" });
    const input = { name: "map", surface: "chat", props: {} };
    expect(toolView(render({ input, status: "done" }), context)).toEqual({ type: "tool" });
    const ask = { ui_tool: "ask_user", status: "done" } as const;
    expect(toolView(used({ ...ask, input: { component_name: "map" } }), context)).toEqual({
      type: "tool",
    });
  });

  test.each(["remove_component", "ask_user", "update_state", "read_state"] as const)(
    "%s is nothing beside what it did",
    (ui_tool) => {
      expect(toolView(used({ ui_tool, status: "done" }), context)).toEqual({ type: "nothing" });
    },
  );
});
