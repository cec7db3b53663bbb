import { describe, expect, test } from "vitest";
import { ToolClient } from "./test-support/tool-client.ts";

const card = {
  name: "Card",
  surface: "chat",
  props: { title: "Hello", deep: { list: [1, null] } },
};
const form = { component_name: "Form", props: { field: "age" }, surface: "overlay" };

describe("a component", () => {
  test("that is new gets an id, which the agent receives", async () => {
    const client = await ToolClient.connect();
    const { text } = await client.call("render_component", card, "toolu_1").reply;
    const [shown] = client.said;
    expect(shown).toEqual({
      type: "turnwire/component",
      ...card,
      component_id: expect.stringMatching(/./),
      merge: false,
      tool_use_id: "toolu_1",
    });
    expect(shown).toMatchObject(JSON.parse(text));
  });

  test("that is named keeps its name, and is merged only where that is wanted", async () => {
    const client = await ToolClient.connect();
    const change = { ...card, component_id: "c1", merge: true };
    await client.call("render_component", change).reply;
    expect(client.said).toEqual([{ type: "turnwire/component", ...change }]);
  });

  test("is taken away by its name", async () => {
    const client = await ToolClient.connect();
    const { reply } = client.call("remove_component", { component_id: "c1" }, "toolu_2");
    expect(await reply).toEqual({ text: '{"component_id":"c1"}', isError: false });
    expect(client.said).toEqual([
      { type: "turnwire/component_removed", component_id: "c1", tool_use_id: "toolu_2" },
    ]);
  });
});

test.each([
  ["render_component", { ...card, name: "" }],
  ["render_component", { ...card, surface: "ceiling" }],
  ["render_component", { ...card, props: [] }],
  ["render_component", { ...card, component_id: "" }],
  ["render_component", { ...card, merge: "yes" }],
  ["remove_component", {}],
  ["remove_component", { component_id: "" }],
  ["ask_user", { ...form, component_name: "" }],
  ["ask_user", { component_name: "Form", props: {} }],
])("%s with the wrong input %j does nothing, and the agent learns why", async (name, input) => {
  const client = await ToolClient.connect();
  const { text, isError } = await client.call(name, input).reply;
  expect(isError).toBe(true);
  expect(text).toMatch(/^The input is wrong: .*→ at \w+/s);
  expect(client.said).toEqual([]);
});

test("the model knows what may be left out of an input", async () => {
  const tools = await (await ToolClient.connect()).list();
  const required = tools.map(({ inputSchema }) => inputSchema);
  expect(required).toMatchObject([
    { required: ["name", "surface", "props"] },
    { required: ["component_id"] },
    { required: ["component_name", "props", "surface"] },
  ]);
});

describe("a question in a component", () => {
  async function ask() {
    const client = await ToolClient.connect();
    const { reply } = client.call("ask_user", form, "toolu_3");
    const asked = await client.heard(0);
    expect(asked).toEqual({
      type: "turnwire/interrupt_ask",
      request_id: expect.stringMatching(/./),
      ...form,
      tool_use_id: "toolu_3",
    });
    return { client, reply, id: asked.type === "turnwire/interrupt_ask" ? asked.request_id : "" };
  }

  test.each([
    ["41", "41"],
    [{ age: 41 }, '{"age":41}'],
    [null, "null"],
  ])("answered with %j gives the agent %s", async (value, text) => {
    const { client, reply, id } = await ask();
    client.requests.answer({ type: "interrupt_response", interrupt_id: id, value });
    expect(await reply).toEqual({ text, isError: false });
  });

  test("that is not answered any more is an error", async () => {
    const { client, reply } = await ask();
    client.requests.withdrawAll();
    expect(await reply).toEqual({ text: "The person did not answer.", isError: true });
  });

  test("is not answered by what answers something else", async () => {
    const { client, reply, id } = await ask();
    client.requests.answer({ type: "tool_call_response", correlation_id: id, output: "41" });
    expect(await reply).toEqual({ text: "The person did not answer.", isError: true });
  });
});
